import type { Db, Trx } from '#db/connect.server.ts';
import { nowButNotBefore } from '../database-clock.server.ts';
import type { Member } from '../actor.ts';
import { lockAircraft } from '../aircraft/queries.server.ts';
import { raiseStatusChange } from '../aircraft/change-aircraft.server.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { deleteDrafts } from '../drafts.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { can } from '../permissions.ts';
import { catchUpWithCorrections } from '../readings/overtaken-corrections.server.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import type { CancelCheckOutInput } from './amendment-schema.server.ts';
import { checkInDraftKey } from './record-end.server.ts';
import { assertInProgress, type FlightRow, findFlightRow } from './flight-row.server.ts';
import { catchUpWithPastFlight } from './past/catch-up-with-past-flight.server.ts';
import { findFlightLog } from './queries.server.ts';

/** Voids a check-out that never flew and frees its aircraft. Throws as `assertCancellable` does. */
export function cancelCheckOut(
  db: Db,
  member: Member,
  id: number,
  input: CancelCheckOutInput,
  key?: string,
): Promise<{ id: number }> {
  const operation = {
    actor: member,
    can: 'anyRole',
    key,
    operation: `cancel check-out ${id}`,
    turn: `flight ${id}`,
    input,
  } as const;
  return runOperation(db, operation, async (trx, actor) => {
    const log = await assertCancellable(trx, actor, id, { lock: true });
    await lockAircraft(trx, actor.schoolId, log.aircraft_id);
    await trx
      .updateTable('flight_logs')
      .set({ voided_at: nowButNotBefore('created_at'), voided_by: actor.id, void_reason: input.reason })
      .where('school_id', '=', actor.schoolId)
      .where('id', '=', id)
      .execute();
    await catchUpWithPastFlight(trx, actor, log);
    await catchUpWithCorrections(trx, actor, log.aircraft_id);
    await raiseCancellation(trx, actor, log);
    await deleteDrafts(trx, log.user_id, [checkInDraftKey(id)]);
    await writeAuditEntry(trx, actor, {
      action: 'cancelled check-out',
      subject: 'flight log',
      subjectId: id,
      reason: input.reason,
    });
    return { id };
  });
}

async function raiseCancellation(trx: Trx, actor: Member, { id, aircraft_id: aircraftId }: FlightRow): Promise<void> {
  const { schoolId, raisedEvents } = actor;
  if (!raisedEvents) return;
  const data = await findFlightLog(trx, schoolId, id, { includeCancelled: true });
  if (data) raisedEvents.push({ type: 'flight.cancelled', schoolId, aircraftId, data });
  await raiseStatusChange(trx, actor, aircraftId);
}

/** Finds it. Throws 'notFound', 'forbidden' but for pilot and administrators, 'conflict' unless in progress. */
export async function assertCancellable(db: Db | Trx, actor: Member, id: number, { lock = false } = {}) {
  const log = await findFlightRow(db, actor, id, { lock });
  if (log.user_id !== actor.id && !can(actor.role, 'cancel any check-out')) {
    throw new AppError('forbidden', texts.notYoursToCancel);
  }
  assertInProgress(log);
  return log;
}
