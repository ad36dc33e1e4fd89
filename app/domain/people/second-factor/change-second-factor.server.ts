import type { Db, Trx } from '#db/connect.server.ts';
import type { Actor, Member } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { writeAuditEntry } from '../../audit/write-audit-entry.server.ts';
import { runOperation } from '../../run-operation.server.ts';
import { texts } from '../../texts.ts';
import { alertAdministrators } from '../../audit/alerts.server.ts';
import { lockSchool } from '../../school/queries.server.ts';
import { assertSamePassword, requireUserForUpdate } from '../queries.server.ts';
import { revokeUserSessions, type VerifiedUser } from '../sessions.server.ts';
import { assertNotLastAdministrator } from '../change-user.server.ts';
import { deleteSetupSecrets, sealFactorKey } from './factor-keys.server.ts';
import { deleteSecondFactor, replaceCodes } from './second-factors.server.ts';

interface NewSecondFactor {
  secret: string;
  step: number;
  codeHashes: string[];
}

/** Adds a second factor and ends the user's other sessions. Throws 'conflict' for a second one. */
export function addSecondFactor(db: Db, user: Actor, factor: NewSecondFactor): Promise<object> {
  const request = { key: undefined, operation: 'add second factor', input: null };
  return runOperation(db, { actor: user, can: 'anyRole', lockFirst: 'actor', ...request }, async (trx, actor) => {
    const added = await trx
      .insertInto('second_factors')
      .values({ user_id: actor.id, secret: sealFactorKey(factor.secret), last_step: factor.step })
      .onConflict((conflict) => conflict.doNothing())
      .returning('user_id')
      .executeTakeFirst();
    if (!added) throw new AppError('conflict', texts.secondFactorThere);
    await deleteSetupSecrets(trx, actor.id);
    await replaceCodes(trx, actor.id, factor.codeHashes);
    await revokeUserSessions(trx, actor.id, actor.sessionId);
    await writeAuditEntry(trx, actor, { action: 'added second factor', subject: 'user', subjectId: actor.id });
    return {};
  });
}

/** Removes it after the caller has checked a code, and ends the other sessions. Throws 'notFound' without one. */
export function removeSecondFactor(
  db: Db,
  user: Actor,
  { verified }: { verified: VerifiedUser | undefined },
): Promise<object> {
  const request = { key: undefined, operation: 'remove second factor', input: null };
  return runOperation(db, { actor: user, can: 'anyRole', lockFirst: 'actor', ...request }, async (trx, actor) => {
    await assertSamePassword(trx, actor.id, verified);
    if (!(await deleteSecondFactor(trx, actor.id))) throw new AppError('notFound', texts.secondFactorMissing);
    await revokeUserSessions(trx, actor.id, actor.sessionId);
    await writeAuditEntry(trx, actor, { action: 'removed second factor', subject: 'user', subjectId: actor.id });
    if (actor.schoolId !== null)
      await alertAdministrators(trx, actor.schoolId, { about: 'second factor removed', userId: actor.id });
    return {};
  });
}

/** Replaces the recovery codes, after the caller has checked a code. */
export function replaceRecoveryCodes(
  db: Db,
  user: Actor,
  { codeHashes, verified }: { codeHashes: string[]; verified: VerifiedUser | undefined },
): Promise<object> {
  const request = { key: undefined, operation: 'replace recovery codes', input: null };
  return runOperation(db, { actor: user, can: 'anyRole', lockFirst: 'actor', ...request }, async (trx, actor) => {
    await assertSamePassword(trx, actor.id, verified);
    await replaceCodes(trx, actor.id, codeHashes);
    await writeAuditEntry(trx, actor, { action: 'replaced recovery codes', subject: 'user', subjectId: actor.id });
    return {};
  });
}

/**
 * Takes the second factor off another person of the school, who lost it, and ends their sessions; they are mailed.
 * Throws 'invalid' for oneself, 'notFound' outside the school and without one, 'conflict' for the last administrator.
 */
export async function removeLostSecondFactor(
  db: Db,
  member: Member,
  id: number,
  key?: string,
): Promise<{ username: string }> {
  if (id === member.id) throw new AppError('invalid', texts.ownSecondFactor);
  const request = { key, operation: `remove second factor of user ${id}`, input: null };
  const lockFirst = async (trx: Trx) => {
    await lockSchool(trx, member.schoolId);
    await assertNotLastAdministrator(trx, member.schoolId, id);
  };
  return runOperation(db, { actor: member, can: 'manage users', lockFirst, ...request }, async (trx, actor) => {
    const { username } = await requireUserForUpdate(trx, actor.schoolId, id);
    if (!(await deleteSecondFactor(trx, id))) throw new AppError('notFound', texts.noSecondFactor);
    await revokeUserSessions(trx, id);
    await writeAuditEntry(trx, actor, { action: 'removed second factor', subject: 'user', subjectId: id });
    await alertAdministrators(trx, actor.schoolId, { about: 'second factor removed', userId: id });
    return { username };
  });
}
