import type { Db, Trx } from '#db/connect.server.ts';
import type { Member } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { alertAdministrators } from '../../audit/alerts.server.ts';
import { writeAuditEntry } from '../../audit/write-audit-entry.server.ts';
import { runOperation } from '../../run-operation.server.ts';
import { lockSchool } from '../../school/queries.server.ts';
import { texts } from '../../texts.ts';
import { assertNotLastAdministrator } from '../profile/last-administrator.server.ts';
import { findUserForUpdate } from '../queries.server.ts';
import { revokeUserSessions } from '../sessions.server.ts';
import { deleteSecondFactor } from './second-factors.server.ts';

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
    const { username } = await findUserForUpdate(trx, actor.schoolId, id);
    if (!(await deleteSecondFactor(trx, id))) throw new AppError('notFound', texts.noSecondFactor);
    await revokeUserSessions(trx, id);
    await writeAuditEntry(trx, actor, { action: 'removed second factor', subject: 'user', subjectId: id });
    await alertAdministrators(trx, actor.schoolId, { about: 'second factor removed', userId: id });
    return { username };
  });
}
