import type { Db, Trx } from '#db/connect.server.ts';
import type { Actor } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { withdrawJoinedInvitationMails } from '../invitations/joined-invitations.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { findSchool, lockSchool } from '../school/queries.server.ts';
import { deletePasswordLink } from './password-links.server.ts';
import { assertSamePassword, findAccount, lockUserForUpdate, replacePassword } from './queries.server.ts';
import { revokeUserSessions, type VerifiedUser } from './sessions.server.ts';
import { fingerprintPassword, hashPassword } from './passwords.server.ts';
import { assertHardToGuess } from './password-rules.server.ts';
import type { ChangeOwnNameInput } from './schema.server.ts';

export const CHANGE_OWN_EMAIL_OPERATION = 'change own email';

/** Changes the email and ends a password link. Throws 'conflict' if taken, 'unauthorized' without the password. */
export async function changeOwnEmail(
  db: Db,
  user: Actor,
  { email, verified }: { email: string; verified: VerifiedUser | undefined },
  key?: string,
): Promise<object> {
  const request = { key, operation: CHANGE_OWN_EMAIL_OPERATION, input: { email } };
  const lockFirst = async (trx: Trx) => {
    if (user.schoolId !== null) await lockSchool(trx, user.schoolId);
    await lockUserForUpdate(trx, user.id);
  };
  return runOperation(db, { actor: user, can: 'anyRole', lockFirst, ...request }, async (trx, actor) => {
    await assertSamePassword(trx, actor.id, verified);
    await trx.updateTable('users').set({ email }).where('id', '=', actor.id).execute();
    if (actor.schoolId !== null) await deletePasswordLink(trx, actor.schoolId, actor.id);
    await withdrawJoinedInvitationMails(trx, actor, actor.id);
    const former = { before: { email: actor.email }, formerEmail: actor.email };
    await writeAuditEntry(trx, actor, {
      action: 'changed own email',
      subject: 'user',
      subjectId: actor.id,
      ...former,
    });
    return {};
  });
}

export const CHANGE_OWN_PASSWORD_OPERATION = 'change own password';

/** Changes the password and ends the user's other sessions. Throws 'unauthorized' without the current one. */
export async function changeOwnPassword(
  db: Db,
  user: Actor,
  { password, verified }: { password: string; verified: VerifiedUser | undefined },
  key?: string,
): Promise<object> {
  const school = await findSchool(db, user.schoolId);
  await assertHardToGuess(password, { ...user, school: school?.name });
  const passwordHash = await hashPassword(password);
  const input = { password: await fingerprintPassword(password, key) };
  const request = { key, operation: CHANGE_OWN_PASSWORD_OPERATION, input };
  return runOperation(db, { actor: user, can: 'anyRole', lockFirst: 'actor', ...request }, async (trx, actor) => {
    await assertSamePassword(trx, actor.id, verified);
    await replacePassword(trx, actor.id, passwordHash);
    await revokeUserSessions(trx, actor.id, actor.sessionId);
    if (actor.schoolId !== null) await deletePasswordLink(trx, actor.schoolId, actor.id);
    await writeAuditEntry(trx, actor, { action: 'changed own password', subject: 'user', subjectId: actor.id });
    return {};
  });
}

/** Changes the name shown beside the username; null removes it. */
export function changeOwnName(db: Db, user: Actor, { name }: ChangeOwnNameInput, key?: string): Promise<object> {
  const request = { key, operation: 'change own name', input: { name } };
  return runOperation(db, { actor: user, can: 'anyRole', lockFirst: 'actor', ...request }, async (trx, actor) => {
    const former = (await findAccount(trx, actor.id))?.name ?? null;
    if (former === name) return {};
    await trx.updateTable('users').set({ name }).where('id', '=', actor.id).execute();
    const values = { before: { name: former }, after: { name } };
    await writeAuditEntry(trx, actor, { action: 'changed own name', subject: 'user', subjectId: actor.id, ...values });
    return {};
  });
}

/** Turns the keys that do something by themselves on or off, for the user. */
export function saveSingleKeys(db: Db, user: Actor, singleKeys: boolean, key?: string): Promise<object> {
  const request = { key, operation: 'save single keys', input: { singleKeys } };
  return runOperation(db, { actor: user, can: 'anyRole', ...request }, async (trx, actor) => {
    await trx.updateTable('users').set({ single_keys: singleKeys }).where('id', '=', actor.id).execute();
    const about = { subject: 'user', subjectId: actor.id } as const;
    await writeAuditEntry(trx, actor, { action: 'changed own keys', ...about, after: { singleKeys } });
    return {};
  });
}
