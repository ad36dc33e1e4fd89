import type { Db, Trx } from '#db/connect.server.ts';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { alertAdministrators } from '../../audit/alerts.server.ts';
import { writeAuditEntry } from '../../audit/write-audit-entry.server.ts';
import { runOperation } from '../../run-operation.server.ts';
import { texts } from '../../texts.ts';
import { assertSamePassword, lockUserForUpdate } from '../queries.server.ts';
import { deleteSecondFactor } from './second-factors.server.ts';
import { revokeUserSessions, type VerifiedUser } from '../sessions.server.ts';

/** Removes it after the caller has checked a code, and ends the other sessions. Throws 'notFound' without one. */
export function removeSecondFactor(
  db: Db,
  user: Actor,
  { verified }: { verified: VerifiedUser | undefined },
): Promise<object> {
  const request = { key: undefined, operation: 'remove second factor', input: null };
  const lockFirst = (trx: Trx) => lockUserForUpdate(trx, user.id);
  return runOperation(db, { actor: user, can: 'anyRole', lockFirst, ...request }, async (trx, actor) => {
    await assertSamePassword(trx, actor.id, verified);
    if (!(await deleteSecondFactor(trx, actor.id))) throw new AppError('notFound', texts.secondFactorMissing);
    await revokeUserSessions(trx, actor.id, actor.sessionId);
    await writeAuditEntry(trx, actor, { action: 'removed second factor', subject: 'user', subjectId: actor.id });
    if (actor.schoolId !== null)
      await alertAdministrators(trx, actor.schoolId, { about: 'second factor removed', userId: actor.id });
    return {};
  });
}
