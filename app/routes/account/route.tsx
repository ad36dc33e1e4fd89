import { authedFormAction, authedLoader, newRequestId } from '#app/server/screen.server.ts';
import { useActionData, useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { RoleBadge } from '#app/features/people/role-badge.tsx';
import { ButtonLink, Card, DescriptionList } from '#app/ui/elements.tsx';
import { Screen, pageTitle, useToast } from '#app/ui/page/screen.tsx';
import { OwnAccessTokens, OwnPasskeys } from './own-keys.tsx';
import { OwnData, OwnKeys, OwnNotices } from './own-settings.tsx';
import { OwnSessions } from './own-sessions.tsx';
import { can } from '#app/domain/permissions.ts';
import { db } from '#app/server/db.server.ts';
import type { Actor } from '#app/domain/actor.ts';
import { labelOfAction } from '#app/domain/audit/actions.ts';
import { findOwnNotices, type OwnNotice } from '#app/domain/audit/owner-notices.server.ts';
import { accessTokenTexts } from '#app/domain/people/access-tokens/schema.server.ts';
import { findOwnAccessTokens, type OwnAccessToken } from '#app/domain/people/access-tokens/access-tokens.server.ts';
import { removeAccessToken } from '#app/domain/people/access-tokens/change-access-tokens.server.ts';
import { endOwnSession, signOutEverywhere } from '#app/domain/people/end-sessions.server.ts';
import { findOwnPasskeys, type OwnPasskey, removePasskey } from '#app/domain/people/passkeys/change-passkeys.server.ts';
import { findAccount } from '#app/domain/people/queries.server.ts';
import { saveSingleKeys } from '#app/domain/people/own-account.server.ts';
import { findSecondFactor } from '#app/domain/people/second-factor/second-factors.server.ts';
import { findOwnSessions, type OwnSession } from '#app/domain/people/sessions.server.ts';
import { formatDate, formatDateTime } from '#app/domain/format.server.ts';
import { texts } from '#app/domain/texts.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { requireId } from '#app/server/query-values.server.ts';
import { paths } from '#app/paths.ts';
import { passkeyTexts } from '#app/domain/people/passkeys/schema.server.ts';

export { clientAction } from '#app/ui/forms/form.tsx';

export const meta = pageTitle('Account');

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  load: async ({ actor }) => {
    const { username, email, role, timeZone, singleKeys = true } = actor;
    const name = (await findAccount(db, actor.id))?.name ?? null;
    const sessions = await findOwnSessions(db, actor);
    const views = sessions.map((session) => toSessionView(session, timeZone));
    const hasSecondFactor = (await findSecondFactor(db, actor.id)) !== undefined;
    const passkeys = (await findOwnPasskeys(db, actor.id)).map((passkey) => toPasskeyView(passkey, timeZone));
    const accessTokens = (await findOwnAccessTokens(db, actor.id)).map((token) => toTokenView(token, timeZone));
    const shown = { username, name, email, role, singleKeys, hasSecondFactor, passkeys, accessTokens, sessions: views };
    const notices = (await findOwnNotices(db, actor)).map((notice) => toNoticeView(notice, timeZone));
    return { ...shown, notices, requestId: newRequestId() };
  },
});

const INTENTS = [
  'remove-passkey',
  'remove-access-token',
  'end-session',
  'sign-out-everywhere',
  'turn-keys-off',
  'turn-keys-on',
] as const;

const changeSchema = z.object({
  intent: z.enum(INTENTS, texts.actionRequired),
  session: z.string().optional(),
  passkey: z.string().optional(),
  accessToken: z.string().optional(),
});

type ChangeInput = z.infer<typeof changeSchema>;

const ACCOUNT_CHANGES = {
  'remove-passkey': async (actor: Actor, { passkey }: ChangeInput, requestId: string | undefined) => {
    await removePasskey(db, actor, requireId(passkey, passkeyTexts.notFound), requestId);
    return redirectWithToast(paths.account, successToast('Passkey removed'));
  },
  'remove-access-token': async (actor: Actor, { accessToken }: ChangeInput, requestId: string | undefined) => {
    await removeAccessToken(db, actor, requireId(accessToken, accessTokenTexts.notFound), requestId);
    return redirectWithToast(paths.account, successToast('Access token removed'));
  },
  'end-session': async (actor: Actor, { session }: ChangeInput, requestId: string | undefined) => {
    await endOwnSession(db, actor, requireId(session, texts.sessionNotFound), requestId);
    return redirectWithToast(paths.account, successToast('Session ended'));
  },
  'sign-out-everywhere': async (actor: Actor, _: ChangeInput, requestId: string | undefined) => {
    await signOutEverywhere(db, actor, requestId);
    return redirectWithToast(paths.login, successToast('Signed out everywhere'));
  },
  'turn-keys-off': async (actor: Actor, _: ChangeInput, requestId: string | undefined) => {
    await saveSingleKeys(db, actor, false, requestId);
    return redirectWithToast(paths.account, successToast('Single-key shortcuts are off'));
  },
  'turn-keys-on': async (actor: Actor, _: ChangeInput, requestId: string | undefined) => {
    await saveSingleKeys(db, actor, true, requestId);
    return redirectWithToast(paths.account, successToast('Single-key shortcuts are on'));
  },
};

export const action = authedFormAction({
  can: 'anyRole',
  school: 'optional',
  schema: changeSchema,
  failed: 'Failed to change your account',
  run: ({ actor, input, requestId }) => ACCOUNT_CHANGES[input.intent](actor, input, requestId),
});

function toPasskeyView({ addedAt, usedAt, ...passkey }: OwnPasskey, timeZone: string) {
  return {
    ...passkey,
    added: formatDateTime(addedAt, timeZone),
    used: usedAt && formatDateTime(usedAt, timeZone),
  };
}

function toNoticeView({ id, action, at, address }: OwnNotice, timeZone: string) {
  return { id, label: labelOfAction(action), at: formatDateTime(at, timeZone), address };
}

function toTokenView({ id, name, scope, expiresAt, usedAt, hasEnded }: OwnAccessToken, timeZone: string) {
  const used = usedAt && formatDateTime(usedAt, timeZone);
  return { id, name, scope, hasEnded, ends: formatDate(expiresAt, timeZone), used };
}

function toSessionView({ signedInAt, seenAt, ...session }: OwnSession, timeZone: string) {
  return { ...session, signedIn: formatDateTime(signedInAt, timeZone), seen: formatDateTime(seenAt, timeZone) };
}

export default function Account() {
  const account = useLoaderData<typeof loader>();
  const { username, name, email, role, singleKeys, hasSecondFactor, requestId } = account;
  const reply = useActionData<typeof action>();
  return (
    <Screen
      title="Account"
      badge={<RoleBadge role={role} />}
      showBackLink
      toast={useToast(reply)}
      width="form"
      actions={can(role, 'manage school') && <ButtonLink to={paths.school}>School</ButtonLink>}
    >
      <Card
        title="Sign-in"
        actions={
          <>
            <ButtonLink to={paths.changePassword}>Change Password</ButtonLink>
            <ButtonLink to={paths.changeEmail}>Change Email</ButtonLink>
            <ButtonLink to={paths.changeName}>Change Name</ButtonLink>
            <ButtonLink to={paths.secondFactor}>
              {hasSecondFactor ? 'Change Second Factor' : 'Set Up Second Factor'}
            </ButtonLink>
          </>
        }
      >
        <DescriptionList
          items={[
            { term: 'Username', detail: <span className="user-text">{username}</span> },
            { term: 'Name', detail: <span className="user-text">{name ?? '-'}</span> },
            { term: 'Email', detail: <span className="address">{email}</span> },
            { term: 'Second factor', detail: hasSecondFactor ? 'On' : 'Off' },
          ]}
        />
      </Card>
      <OwnPasskeys passkeys={account.passkeys} requestId={requestId} />
      <OwnAccessTokens tokens={account.accessTokens} requestId={requestId} />
      <OwnKeys singleKeys={singleKeys} requestId={requestId} />
      <OwnSessions sessions={account.sessions} requestId={requestId} />
      <OwnNotices notices={account.notices} />
      <OwnData />
    </Screen>
  );
}
