import { type Expression, sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import type { MeterType, Row } from '#db/tables.ts';
import type { Member } from '../actor.ts';
import type { Doer } from '../audit/insert-entry.server.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import type { MeterChangeInput, MeterChangesInput } from './input-schemas.server.ts';
import { METER_WORDS, type MeterChangesOfFlight } from './meters.ts';
import { pointText } from '../inspections/due-point.ts';
import { requireTailNumber } from '../inspections/save-inspection.server.ts';

export function toMeterChangesOfFlight(input: MeterChangesInput): MeterChangesOfFlight {
  return { hobbs: input?.hobbs ?? undefined, tachometer: input?.tach ?? undefined };
}

export const METER_CHANGE_FIELD_PAIRS = [
  ['hobbs', 'hobbs'],
  ['tachometer', 'tach'],
] as const satisfies [MeterType, keyof NonNullable<MeterChangesInput>][];

interface ChangedFlight {
  id: number;
  aircraft_id: number;
}

/** Starts a segment at the end of a completed flight for each meter that was changed in it. */
export async function declareMeterChangesOfFlight(
  trx: Trx,
  actor: Member,
  flight: ChangedFlight,
  input: MeterChangesInput,
): Promise<void> {
  for (const [meter, field] of METER_CHANGE_FIELD_PAIRS) {
    const change = input?.[field];
    if (change) await declareMeterChangeOfFlight(trx, actor, flight, meter, change);
  }
}

/** Declares a change, and replaces one declared before of the same meter and flight. */
export async function declareMeterChangeOfFlight(
  trx: Trx,
  actor: Member,
  flight: ChangedFlight,
  meter: MeterType,
  change: MeterChangeInput,
): Promise<void> {
  await withdrawMeterChangeOfFlight(trx, actor, flight.id, meter);
  await startMeterSegment(trx, actor, { ...flight, flight_log_id: flight.id }, meter, change);
  await writeMeterChangeAuditEntry(trx, actor, flight.aircraft_id, meter, change);
}

export async function withdrawMeterChangeOfFlight(
  trx: Trx,
  actor: Member,
  flightId: number,
  meter: MeterType,
): Promise<void> {
  const withdrawn = await trx
    .deleteFrom('meter_segments')
    .where('school_id', '=', actor.schoolId)
    .where('flight_log_id', '=', flightId)
    .where('meter_type', '=', meter)
    .returningAll()
    .executeTakeFirst();
  if (withdrawn) await moveDuePointsBack(trx, actor, withdrawn);
}

/** Starts a segment; what falls due at a reading of the meter follows it. */
export async function startMeterSegment(
  trx: Trx,
  actor: Member,
  { aircraft_id, flight_log_id }: { aircraft_id: number; flight_log_id: number | null },
  meter: MeterType,
  { oldLast, newFirst, reason, remark = '' }: MeterChangeInput,
): Promise<void> {
  const { id, schoolId } = actor;
  const completedAt = sql<Date>`coalesce((select completed_at from flight_logs
    where school_id = ${schoolId} and id = ${flight_log_id}), now())`;
  const segment = await trx
    .insertInto('meter_segments')
    .values({
      school_id: schoolId,
      aircraft_id,
      flight_log_id,
      meter_type: meter,
      reason,
      old_last: oldLast,
      first_reading: newFirst,
      started_at: completedAt,
      remark,
      declared_by: id,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await moveDuePoints(trx, actor, segment);
}

export async function writeMeterChangeAuditEntry(
  trx: Trx,
  actor: Member,
  aircraftId: number,
  meter: MeterType,
  { oldLast, newFirst, reason, remark }: MeterChangeInput,
): Promise<void> {
  await writeAuditEntry(trx, actor, {
    action: 'declared meter change',
    subject: 'aircraft',
    subjectId: aircraftId,
    before: { [meter]: oldLast },
    after: { [meter]: newFirst },
    reason: remark ? `${reason}: ${remark}` : reason,
  });
}

/** Finds the aircraft's meter changes, oldest first; its first meters are none. */
export function findMeterChanges(db: Db | Trx, schoolId: number | null, aircraftId: number) {
  return meterChangesQuery(db, schoolId, aircraftId).execute();
}

export function meterChangesQuery(db: Db | Trx, schoolId: number | null, aircraftId: number | Expression<number>) {
  return db
    .selectFrom('meter_segments')
    .innerJoin('users', 'users.id', 'declared_by')
    .select(['meter_segments.id', 'meter_type', 'reason', 'started_at', 'remark'])
    .select(readingTextColumn<string | null>('old_last').as('old_last'))
    .select(readingTextColumn<string | null>('first_reading').as('first_reading'))
    .select(['users.id as declarer_id', 'username', 'flight_log_id'])
    .where('meter_segments.school_id', '=', schoolId)
    .where('aircraft_id', '=', aircraftId)
    .orderBy('started_at')
    .orderBy('meter_segments.id');
}

/** Selects a column with a reading as text, which JSON keeps as it is: a number would lose its '.0'. */
export function readingTextColumn<Reading extends string | null = string>(column: string) {
  return sql<Reading>`${sql.ref(column)}::text`;
}

export type MeterSegment = Pick<
  Row<'meter_segments'>,
  'aircraft_id' | 'meter_type' | 'old_last' | 'first_reading' | 'started_at' | 'declared_by'
>;

/** Who changes the meter; null on the server, where the history of squawks names who declared it. */
type Mover = Doer & { schoolId: number };

const COLUMNS = {
  hobbs: { due: 'due_hobbs', until: 'until_hobbs', at: 'hobbs' },
  tachometer: { due: 'due_tach', until: 'until_tach', at: 'tach' },
} as const;

/** Lets inspections and deferred squawks fall due as many hours from now as they did, by the meter's new readings. */
export async function moveDuePoints(trx: Trx, actor: Mover, segment: MeterSegment): Promise<void> {
  const { old_last: from, first_reading: to } = segment;
  if (from === null || to === null || from === to) return;
  const why = `The ${METER_WORDS[segment.meter_type]} meter went from ${from} to ${to}`;
  await moveInspections(trx, actor, segment, why);
  await moveDeferrals(trx, actor, segment, why);
}

/** Moves them back after a change that was taken back. */
export async function moveDuePointsBack(trx: Trx, actor: Mover, segment: MeterSegment): Promise<void> {
  await moveDuePoints(trx, actor, { ...segment, old_last: segment.first_reading, first_reading: segment.old_last });
}

async function moveInspections(trx: Trx, actor: Mover, segment: MeterSegment, reason: string): Promise<void> {
  const { due, at } = COLUMNS[segment.meter_type];
  const before = await trx
    .selectFrom('inspections')
    .select(['id', 'name', sql<string>`${sql.ref(due)}::text`.as('value')])
    .where('school_id', '=', actor.schoolId)
    .where('aircraft_id', '=', segment.aircraft_id)
    .where('removed_at', 'is', null)
    .where(due, 'is not', null)
    // A point that was set later is one of the new meter.
    .where('changed_at', '<=', afterChange(segment))
    .orderBy('id')
    .forUpdate()
    .execute();
  if (before.length === 0) return;
  const aircraft = await requireTailNumber(trx, segment.aircraft_id);
  for (const { id, name, value } of before) {
    const moved = await trx
      .updateTable('inspections')
      .set({ [due]: movedBy(due, segment) })
      .where('school_id', '=', actor.schoolId)
      .where('id', '=', id)
      .returning(sql<string>`${sql.ref(due)}::text`.as('value'))
      .executeTakeFirstOrThrow();
    await writeAuditEntry(trx, actor, {
      action: 'changed inspection',
      subject: 'inspection',
      subjectId: id,
      before: { aircraft, inspection: name, due: pointText({ at, value }, '') },
      after: { inspection: name, due: pointText({ at, value: moved.value }, '') },
      reason,
    });
  }
}

async function moveDeferrals(trx: Trx, actor: Mover, segment: MeterSegment, remark: string): Promise<void> {
  const { until } = COLUMNS[segment.meter_type];
  const moved = await trx
    .updateTable('squawks')
    .set({ [until]: movedBy(until, segment) })
    .where('school_id', '=', actor.schoolId)
    .where('aircraft_id', '=', segment.aircraft_id)
    .where('state', '=', 'deferred')
    .where(until, 'is not', null)
    .where(({ not, exists, or, selectFrom }) =>
      not(
        or([
          exists(
            selectFrom('squawk_events')
              .select('squawk_events.id')
              .whereRef('squawk_events.school_id', '=', 'squawks.school_id')
              .whereRef('squawk_events.squawk_id', '=', 'squawks.id')
              .where('squawk_events.created_at', '>', afterChange(segment)),
          ),
          // A file tells when a squawk was reported, and defers it by the meter of its own day.
          exists(
            selectFrom('import_rows')
              .innerJoin('imports', 'imports.id', 'import_rows.import_id')
              .select('import_rows.id')
              .whereRef('import_rows.school_id', '=', 'squawks.school_id')
              .whereRef('import_rows.squawk_id', '=', 'squawks.id')
              .where('imports.applied_at', '>', afterChange(segment)),
          ),
        ]),
      ),
    )
    .returning(['id', 'until_hobbs', 'until_tach', 'until_on'])
    .execute();
  const user_id = actor.id ?? segment.declared_by;
  if (moved.length === 0 || user_id === null) return;
  const event = { school_id: actor.schoolId, user_id, state: 'deferred' as const, remark };
  await trx
    .insertInto('squawk_events')
    .values(moved.map(({ id, ...untils }) => ({ ...event, ...untils, squawk_id: id, created_at: segment.started_at })))
    .execute();
}

/** Returns the moment after the change; segments start at whole milliseconds. */
function afterChange({ started_at: startedAt }: MeterSegment) {
  return new Date(startedAt.getTime() + 1);
}

function movedBy(column: string, { old_last: from, first_reading: to }: MeterSegment) {
  return sql<string>`least(greatest(${sql.ref(column)} - ${from}::numeric + ${to}::numeric, 0), 999999.99)`;
}
