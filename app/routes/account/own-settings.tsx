import { paths } from '#app/paths.ts';
import { Button, ButtonLink, Card, DateTime } from '#app/ui/elements.tsx';
import type { AccountPage } from './account-page.server.ts';
import { ActForm } from '#app/ui/forms/form.tsx';

/** The choice is for users who speak to the computer, or hit keys by accident. */
export function OwnKeyboardShortcuts({ singleKeys, requestId }: { singleKeys: boolean; requestId: string }) {
  return (
    <Card
      title="Single Keys"
      actions={
        <ActForm action={paths.account} preventScrollReset requestId={requestId}>
          <Button name="intent" value={singleKeys ? 'turn-keys-off' : 'turn-keys-on'}>
            {singleKeys ? 'Turn Single Keys Off' : 'Turn Single Keys On'}
          </Button>
        </ActForm>
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

/** Shows what happened to how the user signs in, each of which was mailed to them, too. */
export function OwnSecurityNotices({ notices }: { notices: AccountPage['notices'] }) {
  if (notices.length === 0) return null;
  return (
    <Card
      title="Recent Changes"
      subtitle="If one of these was not you, change your password and tell an administrator."
    >
      <ul className="list-rows">
        {notices.map(({ id, label, at, address }) => (
          <li key={id}>
            <h3>{label}</h3>
            <p className="subtitle user-text">
              <DateTime value={at} />
              {address && `, from ${address}`}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function OwnData() {
  return (
    <Card
      title="Your Data"
      actions={
        <ButtonLink to={paths.ownData} reloadDocument download>
          Download Your Data
        </ButtonLink>
      }
    >
      <p>One zip file: profile, sessions, flights, scans with their photos, squawks, drafts and events.</p>
    </Card>
  );
}
