import type { Db, Trx } from '#db/connect.server.ts';
import { now } from '../database-clock.server.ts';
import type { Member } from '../actor.ts';
import { lockAircraft } from '../aircraft/queries.server.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { deleteDraft } from '../drafts.server.ts';
import { exactlyOnce } from '../idempotency.server.ts';
import { can } from '../permissions.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import type { CancelCheckOutInput } from './amendment-schema.server.ts';
import { checkInDraftKey } from './complete-flight.server.ts';
import { assertInProgress, findFlightRow } from './flight-row.server.ts';

/**
 * Voids a check-out that never flew (C09): it leaves list, calls and export, and the aircraft is free again, with the
 * last readings it had. Throws as `assertCancellable` does.
 */
export function cancelCheckOut(
  db: Db,
  actor: Member,
  id: number,
  input: CancelCheckOutInput,
  key?: string,
): Promise<{ id: number }> {
  const once = { scope: `user:${actor.id}`, key, operation: `cancel check-out ${id}`, input };
  return exactlyOnce(db, once, async (trx) => {
    const log = await assertCancellable(trx, actor, id, { lock: true });
    await lockAircraft(trx, actor.schoolId, log.aircraft_id);
    await trx
      .updateTable('flight_logs')
      .set({ voided_at: now, voided_by: actor.id, void_reason: input.reason })
      .where('school_id', '=', actor.schoolId)
      .where('id', '=', id)
      .execute();
    await deleteDraft(trx, log.user_id, checkInDraftKey(id));
    await writeAuditEntry(trx, actor, {
      action: 'cancelled check-out',
      subject: 'flight log',
      subjectId: id,
      reason: input.reason,
    });
    return { id };
  });
}

/**
 * The flight, if this user may cancel its check-out. Throws 'notFound' outside the school, 'forbidden' for anybody
 * but the pilot and administrators, 'conflict' for a flight that is not under way.
 */
export async function assertCancellable(db: Db | Trx, actor: Member, id: number, { lock = false } = {}) {
  const log = await findFlightRow(db, actor, id, { lock });
  if (log.user_id !== actor.id && !can(actor.role, 'cancel any check-out')) {
    throw new AppError('forbidden', texts.notYoursToCancel);
  }
  assertInProgress(log);
  return log;
}
