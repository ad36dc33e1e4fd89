import { z } from 'zod';
import type { Actor } from '#app/domain/actor.ts';
import { labelOfAction } from '#app/domain/audit/actions.ts';
import { findOwnNotices, type OwnNotice } from '#app/domain/audit/owner-notices.server.ts';
import { formatDate, formatDateTime } from '#app/domain/format.server.ts';
import { findOwnAccessTokens, type OwnAccessToken } from '#app/domain/people/access-tokens/access-tokens.server.ts';
import { removeAccessToken } from '#app/domain/people/access-tokens/change-access-tokens.server.ts';
import { accessTokenTexts } from '#app/domain/people/access-tokens/schema.server.ts';
import { endOwnSession, signOutEverywhere } from '#app/domain/people/end-sessions.server.ts';
import { saveSingleKeys } from '#app/domain/people/own-account.server.ts';
import { findOwnPasskeys, type OwnPasskey, removePasskey } from '#app/domain/people/passkeys/change-passkeys.server.ts';
import { passkeyTexts } from '#app/domain/people/passkeys/schema.server.ts';
import { findAccount } from '#app/domain/people/queries.server.ts';
import { findSecondFactor } from '#app/domain/people/second-factor/second-factors.server.ts';
import { findOwnSessions, type OwnSession } from '#app/domain/people/sessions.server.ts';
import { texts } from '#app/domain/texts.ts';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { requireId } from '#app/server/query-values.server.ts';

export type AccountPage = Awaited<ReturnType<typeof loadAccountPage>>;

export async function loadAccountPage(actor: Actor) {
  const { username, email, role, timeZone, singleKeys = true } = actor;
  return {
    ...{ username, email, role, singleKeys },
    name: (await findAccount(db, actor.id))?.name ?? null,
    sessions: (await findOwnSessions(db, actor)).map((session) => toSessionView(session, timeZone)),
    hasSecondFactor: (await findSecondFactor(db, actor.id)) !== undefined,
    passkeys: (await findOwnPasskeys(db, actor.id)).map((passkey) => toPasskeyView(passkey, timeZone)),
    accessTokens: (await findOwnAccessTokens(db, actor.id)).map((token) => toTokenView(token, timeZone)),
    notices: (await findOwnNotices(db, actor)).map((notice) => toNoticeView(notice, timeZone)),
  };
}

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

const INTENTS = [
  'remove-passkey',
  'remove-access-token',
  'end-session',
  'sign-out-everywhere',
  'turn-keys-off',
  'turn-keys-on',
] as const;

export const changeAccountSchema = z.object({
  intent: z.enum(INTENTS, texts.actionRequired),
  session: z.string().optional(),
  passkey: z.string().optional(),
  accessToken: z.string().optional(),
});

type ChangeInput = z.infer<typeof changeAccountSchema>;

export const ACCOUNT_CHANGE_HANDLERS = {
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
