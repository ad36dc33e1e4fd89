import { sql } from 'kysely';
import type { Trx } from '#db/connect.server.ts';
import type { MeterType } from '#db/tables.ts';
import type { Member } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import type { MeterChangeInput, MeterChangesInput } from './input-schemas.server.ts';
import type { MeterChangesOfFlight } from './meters.ts';
import { moveDuePoints, moveDuePointsBack } from './move-due-points.server.ts';

export function toMeterChanges(input: MeterChangesInput): MeterChangesOfFlight {
  return { hobbs: input?.hobbs ?? undefined, tachometer: input?.tach ?? undefined };
}

export const CHANGE_FIELDS = [
  ['hobbs', 'hobbs'],
  ['tachometer', 'tach'],
] as const satisfies [MeterType, keyof NonNullable<MeterChangesInput>][];

interface ChangedFlight {
  id: number;
  aircraft_id: number;
}

/** Starts a segment at the end of a completed flight for each meter that was changed in it. */
export async function declareFlightChanges(
  trx: Trx,
  actor: Member,
  flight: ChangedFlight,
  input: MeterChangesInput,
): Promise<void> {
  for (const [meter, field] of CHANGE_FIELDS) {
    const change = input?.[field];
    if (change) await declareFlightChange(trx, actor, flight, meter, change);
  }
}

/** Declares a change, and replaces one declared before of the same meter and flight. */
export async function declareFlightChange(
  trx: Trx,
  actor: Member,
  flight: ChangedFlight,
  meter: MeterType,
  change: MeterChangeInput,
): Promise<void> {
  await withdrawFlightChange(trx, actor, flight.id, meter);
  await startSegment(trx, actor, { ...flight, flight_log_id: flight.id }, meter, change);
  await recordMeterChange(trx, actor, flight.aircraft_id, meter, change);
}

export async function withdrawFlightChange(trx: Trx, actor: Member, flightId: number, meter: MeterType): Promise<void> {
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
export async function startSegment(
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

export async function recordMeterChange(
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
