import type { Db, Trx } from '#db/connect.server.ts';
import { now } from '../database-clock.server.ts';
import type { Member } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { findOpenFlights } from '../flights/queries.server.ts';
import { AppError } from '../app-error.ts';
import { lockSchool } from '../school/queries.server.ts';
import { texts } from '../texts.ts';
import { deletePasswordLink } from './password-links.server.ts';
import { assertNotLastAdministrator, withdrawMadeLinks } from './change-user.server.ts';
import { findUserForUpdate } from './queries.server.ts';
import { deletePasskeys } from './passkeys/passkeys.server.ts';
import { deleteSecondFactor } from './second-factor/second-factors.server.ts';
import { revokeUserSessions } from './sessions.server.ts';

/** Keeps the row. Throws 'invalid' for oneself, 'notFound', 'conflict' in flight or for the last administrator. */
export async function deleteUser(db: Db, member: Member, id: number, key?: string): Promise<object> {
  if (id === member.id) throw new AppError('invalid', texts.ownAccount);
  const request = { key, operation: `delete user ${id}`, input: null };
  // The actor was the other administrator if somebody deleted them while this waited for the school.
  const lockFirst = async (trx: Trx) => {
    await lockSchool(trx, member.schoolId);
    await assertNotLastAdministrator(trx, member.schoolId, id);
  };
  return runOperation(db, { actor: member, can: 'manage users', lockFirst, ...request }, async (trx, actor) => {
    const { name, ...user } = await findUserForUpdate(trx, actor.schoolId, id);
    const [flight] = await findOpenFlights(trx, actor.schoolId, id);
    if (flight) throw new AppError('conflict', texts.userInFlight);
    await removeUser(trx, actor.schoolId, id);
    await withdrawMadeLinks(trx, actor, id);
    const before = { ...user, ...(name !== null && { name }) };
    await writeAuditEntry(trx, actor, { action: 'deleted user', subject: 'user', subjectId: id, before });
    return {};
  });
}

async function removeUser(trx: Trx, schoolId: number, id: number): Promise<void> {
  await trx
    .updateTable('users')
    .set({ deleted_at: now, password_hash: null })
    .where('school_id', '=', schoolId)
    .where('id', '=', id)
    .execute();
  await revokeUserSessions(trx, id);
  await deletePasswordLink(trx, schoolId, id);
  await deleteSecondFactor(trx, id);
  await deletePasskeys(trx, id);
  await trx.deleteFrom('drafts').where('user_id', '=', id).execute();
}
