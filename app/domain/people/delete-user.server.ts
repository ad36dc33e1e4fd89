import type { Db, Trx } from '#db/connect.server.ts';
import { now } from '../database-clock.server.ts';
import type { Member } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { exactlyOnce } from '../idempotency.server.ts';
import { findOpenFlights } from '../flights/queries.server.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import { deletePasswordLink } from './password-links.server.ts';
import { findUserForUpdate, lockLiveUser } from './queries.server.ts';
import { revokeUserSessions } from './sessions.server.ts';

/**
 * Takes a user out of the school (C13): signed out everywhere, the password wiped, username and email free again; the
 * row stays, so that flights keep their pilot's name. Throws 'invalid' for oneself, 'notFound' outside the school,
 * 'conflict' for the last administrator (C14) and for a user in flight.
 */
export async function deleteUser(db: Db, actor: Member, id: number, key?: string): Promise<object> {
  if (id === actor.id) throw new AppError('invalid', texts.ownAccount);
  const once = { scope: `user:${actor.id}`, key, operation: `delete user ${id}`, input: null };
  return exactlyOnce(db, once, async (trx) => {
    await lockSchool(trx, actor.schoolId);
    const user = await findUserForUpdate(trx, actor.schoolId, id);
    if (user.role === 'administrator') await assertAnotherAdministrator(trx, actor.schoolId, id);
    // Whoever was deleted while this waited for the school deletes nobody.
    await lockLiveUser(trx, actor.schoolId, actor.id);
    const [flight] = await findOpenFlights(trx, actor.schoolId, id);
    if (flight) throw new AppError('conflict', texts.userInFlight);
    await removeUser(trx, actor.schoolId, id);
    await writeAuditEntry(trx, actor, { action: 'deleted user', subject: 'user', subjectId: id, before: user });
    return {};
  });
}

/** One deletion at a time in a school; everything else that only points at the school's row goes on. */
async function lockSchool(trx: Trx, schoolId: number): Promise<void> {
  await trx.selectFrom('schools').select('id').where('id', '=', schoolId).forNoKeyUpdate().execute();
}

async function assertAnotherAdministrator(trx: Trx, schoolId: number, id: number): Promise<void> {
  const another = await trx
    .selectFrom('users')
    .select('id')
    .where('school_id', '=', schoolId)
    .where('role', '=', 'administrator')
    .where('deleted_at', 'is', null)
    .where('id', '<>', id)
    .limit(1)
    .executeTakeFirst();
  if (!another) throw new AppError('conflict', texts.lastAdministrator);
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
  await trx.deleteFrom('drafts').where('user_id', '=', id).execute();
}
