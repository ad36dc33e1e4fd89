import { PREVIOUS_WEBHOOK_SECRET_HOURS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { Notice } from '#app/ui/notice.tsx';

export function WebhookSecret({ id, secret, isNew }: { id: number; secret: string; isNew: boolean }) {
  return (
    <Card title="Its Secret" actions={<ButtonLink to={paths.webhook(id)}>I have kept it</ButtonLink>}>
      <Notice tone="caution">Copy it now; it is not shown again. It signs what is sent to the webhook.</Notice>
      <p>
        <code className="secret">{secret}</code>
      </p>
      {!isNew && (
        <p>
          For {PREVIOUS_WEBHOOK_SECRET_HOURS} hours everything is signed with the secret before, too: replace it in your
          program by then.
        </p>
      )}
    </Card>
  );
}
