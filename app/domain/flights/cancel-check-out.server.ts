import type { Db, Trx } from '#db/connect.server.ts';
import { nowButNotBefore } from '../database-clock.server.ts';
import type { Member } from '../actor.ts';
import { lockAircraftOfFlight } from '../aircraft/queries.server.ts';
import { raiseStatusChange } from '../aircraft/change-aircraft.server.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { deleteDrafts } from '../drafts.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { can } from '../permissions.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import type { CancelCheckOutInput } from './schema.server.ts';
import { checkInDraftKey } from './record-end.server.ts';
import { assertInProgress, findFlightLog, requireFlightRow, type FlightRow } from './queries.server.ts';
import { sql } from 'kysely';
import { newestCompletedFlightId } from './flight-order.server.ts';
import { updateLastReadings } from '../aircraft/save-last-reading.server.ts';
import { findMetersAroundPastFlight, newLastReadingsOf } from './past/review-past-flight.server.ts';

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
    await lockAircraftOfFlight(trx, actor.schoolId, id);
    const log = await assertCancellable(trx, actor, id, { lock: true });
    await trx
      .updateTable('flight_logs')
      .set({ voided_at: nowButNotBefore('created_at'), voided_by: actor.id, void_reason: input.reason })
      .where('school_id', '=', actor.schoolId)
      .where('id', '=', id)
      .execute();
    await catchUpLastReadings(trx, actor, log.aircraft_id, log.created_at);
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
  const log = await requireFlightRow(db, actor, id, { lock });
  if (log.user_id !== actor.id && !can(actor.role, 'cancel any check-out')) {
    throw new AppError('forbidden', texts.notYoursToCancel);
  }
  assertInProgress(log);
  return log;
}

const METERS = [
  { meter: 'hobbs', end: 'end_hobbs', last: 'last_hobbs', lastAt: 'last_hobbs_at' },
  { meter: 'tachometer', end: 'end_tach', last: 'last_tach', lastAt: 'last_tach_at' },
] as const;

interface CorrectedEnd {
  reading: string;
  user_id: number;
  at: Date;
}

type Reader = Pick<Member, 'id' | 'schoolId'>;

/** Lets the last readings follow what became of earlier flights while one was the newest that is none any more. */
export async function catchUpLastReadings(trx: Trx, reader: Reader, aircraftId: number, since: Date): Promise<void> {
  await catchUpWithPastFlight(trx, reader, aircraftId, since);
  await catchUpWithCorrections(trx, reader, aircraftId);
}

/** Saves an end, corrected while another flight was the newest, as the last reading. */
async function catchUpWithCorrections(trx: Trx, { schoolId }: Reader, aircraftId: number): Promise<void> {
  for (const meter of METERS) {
    const corrected = await findOvertakenCorrection(trx, schoolId, aircraftId, meter);
    if (!corrected) continue;
    const { user_id: id, reading, at } = corrected;
    await updateLastReadings(trx, { id, schoolId }, aircraftId, { [meter.meter]: reading }, at);
  }
}

/** Finds a correction of the newest completed flight, if the last reading is still what its end was before. */
async function findOvertakenCorrection(
  trx: Trx,
  schoolId: number,
  aircraftId: number,
  columns: (typeof METERS)[number],
): Promise<CorrectedEnd | undefined> {
  const newest = trx
    .selectFrom('flight_logs')
    .select(['id', 'school_id', 'aircraft_id', `${columns.end} as reading`])
    .where('school_id', '=', schoolId)
    .where('id', '=', newestCompletedFlightId(schoolId, aircraftId));
  const first = await trx
    .selectFrom(newest.as('newest'))
    .innerJoin('aircraft', 'aircraft.id', 'newest.aircraft_id')
    .innerJoin('flight_log_revisions as revision', (join) =>
      join
        .onRef('revision.school_id', '=', 'newest.school_id')
        .onRef('revision.flight_log_id', '=', 'newest.id')
        .on('revision.field', '=', columns.end),
    )
    .select([
      'newest.reading',
      'revision.user_id',
      'revision.created_at as at',
      sql<boolean>`old_value = ${sql.ref(columns.last)}`.as('isOwn'),
    ])
    .where(sql<boolean>`revision.created_at > coalesce(${sql.ref(columns.lastAt)}, '-infinity')`)
    .orderBy('revision.id')
    .executeTakeFirst();
  return first?.isOwn && first.reading !== null ? { ...first, reading: first.reading } : undefined;
}

/** Makes the end of a past flight, entered while another flight was the newest, the last reading. */
async function catchUpWithPastFlight(trx: Trx, actor: Reader, aircraftId: number, since: Date): Promise<void> {
  const newest = await trx
    .selectFrom('flight_logs')
    .select(['id', 'created_at', 'completed_at', 'end_hobbs', 'end_tach', 'entered_at'])
    .where('school_id', '=', actor.schoolId)
    .where('id', '=', newestCompletedFlightId(actor.schoolId, aircraftId))
    .executeTakeFirst();
  if (!newest?.entered_at || newest.entered_at < since) return;
  const { id, created_at: departed, completed_at: landed, end_hobbs: hobbs, end_tach: tachometer } = newest;
  if (landed === null || hobbs === null || tachometer === null) return;
  const meters = await findMetersAroundPastFlight(trx, actor, aircraftId, { id, departed, landed });
  await updateLastReadings(trx, actor, aircraftId, newLastReadingsOf(meters, { hobbs, tachometer }), newest.entered_at);
}
