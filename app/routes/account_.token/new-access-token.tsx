import { paths } from '#app/paths.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { Notice } from '#app/ui/notice.tsx';

/** Shows the token once: only its hash is stored. */
export function NewAccessToken({ token }: { token: string }) {
  return (
    <Card title="Your Access Token" actions={<ButtonLink to={paths.account}>I have kept it</ButtonLink>}>
      <Notice tone="caution">
        Copy it now; it is not shown again. Anyone who has it can do what you chose, without a password.
      </Notice>
      <p>
        <code className="secret">{token}</code>
      </p>
      <p>
        Send it as <code>Authorization: Bearer</code> with each request to the <a href={paths.api}>API</a>.
      </p>
    </Card>
  );
}
