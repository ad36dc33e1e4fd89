import { Form } from '@remix-run/react';
import { paths } from '#app/paths.ts';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { RequestId } from '#app/ui/forms/hidden-field.tsx';

/** The choice is for users who speak to the computer, or hit keys by accident. */
export function OwnKeys({ singleKeys, requestId }: { singleKeys: boolean; requestId: string }) {
  return (
    <Card
      title="Single Keys"
      actions={
        <Form method="post" action={paths.account} preventScrollReset>
          <RequestId value={requestId} />
          <Button name="intent" value={singleKeys ? 'turn-keys-off' : 'turn-keys-on'}>
            {singleKeys ? 'Turn Single Keys Off' : 'Turn Single Keys On'}
          </Button>
        </Form>
      }
    >
      <p>
        {singleKeys
          ? 'They are on: / jumps to an aircraft, a person or a flight, and ? shows the keys.'
          : 'They are off: / and ? do nothing by themselves.'}
      </p>
    </Card>
  );
}
