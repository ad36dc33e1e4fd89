import { LogoutForm } from '#app/ui/page/logout-form.tsx';
import { Notice } from '#app/ui/elements.tsx';
import { Screen } from '#app/ui/page/screen.tsx';
import type { Toast } from '#app/ui/page/toast-region.tsx';

interface AlreadySignedInProps {
  title: string;
  username: string;
  toast: Toast | null;
}

/** Replaces the form of an invitation or password link while somebody is signed in. */
export function AlreadySignedIn({ title, username, toast }: AlreadySignedInProps) {
  return (
    <Screen title={title} showBackLink toast={toast} width="form">
      <Notice tone="info" action={<LogoutForm />}>
        You are signed in as {username}
      </Notice>
      <p>Log out first, then open the link again.</p>
    </Screen>
  );
}
