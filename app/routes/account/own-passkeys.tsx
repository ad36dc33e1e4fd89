import { Form } from '@remix-run/react';
import { paths } from '#app/paths.ts';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { DateTime, type DateTimeText } from '#app/ui/date-time.tsx';
import { HiddenField, RequestId } from '#app/ui/forms/hidden-field.tsx';

interface PasskeyView {
  id: number;
  name: string;
  added: DateTimeText;
  used: DateTimeText | null;
}

export function OwnPasskeys({ passkeys, requestId }: { passkeys: PasskeyView[]; requestId: string }) {
  return (
    <Card
      title="Passkeys"
      subtitle="They sign you in by fingerprint, face or device PIN."
      actions={<ButtonLink to={paths.addPasskey}>Add a Passkey</ButtonLink>}
    >
      {passkeys.length > 0 && (
        <ul className="list-rows">
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <OwnPasskey passkey={passkey} requestId={requestId} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function OwnPasskey({ passkey: { id, name, added, used }, requestId }: { passkey: PasskeyView; requestId: string }) {
  return (
    <>
      <h3 className="user-text">{name}</h3>
      <p className="subtitle">
        Added <DateTime value={added} />, {used ? 'last used ' : 'not used yet'}
        {used && <DateTime value={used} />}
      </p>
      <Form method="post" action={paths.account} preventScrollReset className="actions">
        <RequestId value={requestId} />
        <HiddenField name="passkey" value={String(id)} />
        <Button name="intent" value="remove-passkey">
          Remove<span className="visually-hidden"> the passkey {name}</span>
        </Button>
      </Form>
    </>
  );
}
