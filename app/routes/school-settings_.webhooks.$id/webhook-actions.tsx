import { Form } from '@remix-run/react';
import { paths } from '#app/paths.ts';
import { Button } from '#app/ui/button.tsx';
import { RequestId } from '#app/ui/forms/hidden-field.tsx';
import { Actions } from '#app/ui/layout.tsx';

interface WebhookActionsProps {
  id: number;
  isPaused: boolean;
  requestId: string;
}

/** What is done to a webhook by one button. */
export function WebhookActions({ id, isPaused, requestId }: WebhookActionsProps) {
  return (
    <Form method="post" action={paths.webhook(id)}>
      <RequestId value={requestId} />
      <Actions>
        {!isPaused && (
          <Button name="intent" value="test">
            Send a Test
          </Button>
        )}
        <Button name="intent" value={isPaused ? 'resume' : 'pause'}>
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
        <Button name="intent" value="new-secret">
          Make a New Secret
        </Button>
        <Button variant="danger" name="intent" value="remove">
          Remove
        </Button>
      </Actions>
    </Form>
  );
}
