import { paths } from '#app/paths.ts';
import { Button, ButtonLink, Actions } from '#app/ui/elements.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { ActForm, SubmitButton } from '#app/ui/forms/form.tsx';

interface WebhookActionsProps {
  id: number;
  isPaused: boolean;
  requestId: string;
}

export function WebhookActions({ id, isPaused, requestId }: WebhookActionsProps) {
  return (
    <ActForm action={paths.webhook(id)} requestId={requestId}>
      <Actions>
        {!isPaused && (
          <Button name="intent" value="test">
            Send a Test
          </Button>
        )}
        <Button name="intent" value={isPaused ? 'resume' : 'pause'}>
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
        <SubmitButton variant="secondary" name="intent" value="new-secret">
          Make a New Secret
        </SubmitButton>
        <ButtonLink to={paths.confirmRemoveWebhook(id)} preventScrollReset>
          Remove
        </ButtonLink>
      </Actions>
    </ActForm>
  );
}

export function WebhookRemovalQuestion({ id, requestId }: Omit<WebhookActionsProps, 'isPaused'>) {
  return (
    <ConfirmDialog
      title="Remove This Webhook"
      text="Nothing more is sent to it, and what waits to be sent is dropped. Its log and secret go with it."
      confirmLabel="Remove Webhook"
      pendingLabel="Removing..."
      cancelHref={paths.webhook(id)}
      action={paths.webhook(id)}
      formValues={{ intent: 'remove', requestId }}
    />
  );
}
