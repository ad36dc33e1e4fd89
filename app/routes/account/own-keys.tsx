import { SCOPE_LABELS } from '#app/domain/people/access-tokens/scopes.ts';
import { paths } from '#app/paths.ts';
import { Badge, Button, ButtonLink, Card, DateTime } from '#app/ui/elements.tsx';
import { HiddenField } from '#app/ui/forms/fields.tsx';
import type { AccountPage } from './account-page.server.ts';
import { ActForm } from '#app/ui/forms/form.tsx';

type AccessToken = AccountPage['accessTokens'][number];
type Passkey = AccountPage['passkeys'][number];

export function OwnAccessTokens({ tokens, requestId }: { tokens: AccessToken[]; requestId: string }) {
  return (
    <Card
      title="Access Tokens"
      subtitle="They let a script of yours use the API."
      actions={
        <>
          <ButtonLink to={paths.addAccessToken}>Add an Access Token</ButtonLink>
          <ButtonLink to={paths.api} reloadDocument>
            API
          </ButtonLink>
        </>
      }
    >
      {tokens.length > 0 && (
        <ul className="list-rows">
          {tokens.map((token) => (
            <li key={token.id}>
              <OwnAccessToken token={token} requestId={requestId} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function OwnAccessToken({ token, requestId }: { token: AccessToken; requestId: string }) {
  const { id, name, scope, ends, used, hasEnded } = token;
  return (
    <>
      <h3 className="user-text">{name}</h3>
      {hasEnded && (
        <p className="badge-list">
          <Badge tone="secondary">Ended</Badge>
        </p>
      )}
      <p className="subtitle">{SCOPE_LABELS[scope]}</p>
      <p className="subtitle">
        {hasEnded ? 'Ended' : 'Ends'} <DateTime value={ends} />, {used ? 'last used ' : 'not used yet'}
        {used && <DateTime value={used} />}
      </p>
      <ActForm action={paths.account} preventScrollReset className="actions" requestId={requestId}>
        <HiddenField name="accessToken" value={id} />
        <Button name="intent" value="remove-access-token">
          Remove<span className="visually-hidden"> the access token {name}</span>
        </Button>
      </ActForm>
    </>
  );
}

export function OwnPasskeys({ passkeys, requestId }: { passkeys: Passkey[]; requestId: string }) {
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

function OwnPasskey({ passkey: { id, name, added, used }, requestId }: { passkey: Passkey; requestId: string }) {
  return (
    <>
      <h3 className="user-text">{name}</h3>
      <p className="subtitle">
        Added <DateTime value={added} />, {used ? 'last used ' : 'not used yet'}
        {used && <DateTime value={used} />}
      </p>
      <ActForm action={paths.account} preventScrollReset className="actions" requestId={requestId}>
        <HiddenField name="passkey" value={id} />
        <Button name="intent" value="remove-passkey">
          Remove<span className="visually-hidden"> the passkey {name}</span>
        </Button>
      </ActForm>
    </>
  );
}
