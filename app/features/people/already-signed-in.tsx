import { LogoutForm } from '#app/ui/page/logout-form.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { Screen } from '#app/ui/page/screen.tsx';
import type { Toast } from '#app/ui/page/toast-region.tsx';

interface SignedInAlreadyProps {
  title: string;
  username: string;
  toast: Toast | null;
}

/** In the place of a form that makes or changes somebody's account, while somebody is signed in (C29). */
export function AlreadySignedIn({ title, username, toast }: SignedInAlreadyProps) {
  return (
    <Screen title={title} showBackLink toast={toast} width="form">
      <Notice tone="info" action={<LogoutForm />}>
        You are signed in as {username}
      </Notice>
      <p>Log out first, then open the link again.</p>
    </Screen>
  );
}
