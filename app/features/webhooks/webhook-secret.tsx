import { PREVIOUS_WEBHOOK_SECRET_HOURS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { Secret, ShownOnce } from '#app/ui/page/shown-once.tsx';

export function WebhookSecret({ id, secret, isNew }: { id: number; secret: string; isNew: boolean }) {
  return (
    <ShownOnce
      title="Its Secret"
      warning="Copy it now; it is not shown again. It signs what is sent to the webhook."
      kept={{ to: paths.webhook(id), label: 'I have kept it' }}
    >
      <Secret text={secret} />
      {!isNew && (
        <p>
          For {PREVIOUS_WEBHOOK_SECRET_HOURS} hours everything is signed with the secret before, too: replace it in your
          program by then.
        </p>
      )}
    </ShownOnce>
  );
}
