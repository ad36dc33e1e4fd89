import { paths } from '#app/paths.ts';
import { Badge, Button, Card, DateTime } from '#app/ui/elements.tsx';
import { HiddenField } from '#app/ui/forms/fields.tsx';
import type { AccountPage } from './account-page.server.ts';
import { ActForm } from '#app/ui/forms/form.tsx';

type Session = AccountPage['sessions'][number];

export function OwnSessions({ sessions, requestId }: { sessions: Session[]; requestId: string }) {
  return (
    <Card
      title="Where You Are Signed In"
      actions={
        <ActForm action={paths.account} requestId={requestId}>
          <Button name="intent" value="sign-out-everywhere">
            Sign out everywhere
          </Button>
        </ActForm>
      }
    >
      <ul className="list-rows">
        {sessions.map((session) => (
          <li key={session.number}>
            <OwnSession session={session} requestId={requestId} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function OwnSession({ session, requestId }: { session: Session; requestId: string }) {
  const { number, device, address, signedIn, seen, isCurrent } = session;
  return (
    <>
      <h3>{device || 'Unknown device'}</h3>
      {isCurrent && (
        <p className="badge-list">
          <Badge tone="available">This device</Badge>
        </p>
      )}
      <p className="subtitle user-text">
        From {address || 'an unknown address'}, signed in <DateTime value={signedIn} />, last seen{' '}
        <DateTime value={seen} />
      </p>
      {!isCurrent && (
        <ActForm action={paths.account} preventScrollReset className="actions" requestId={requestId}>
          <HiddenField name="session" value={number} />
          <Button name="intent" value="end-session">
            End
            <span className="visually-hidden">
              {' '}
              the session on {device}, signed in {signedIn.text}
            </span>
          </Button>
        </ActForm>
      )}
    </>
  );
}
