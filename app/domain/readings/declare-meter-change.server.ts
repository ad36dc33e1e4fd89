import { z } from 'zod';
import type { Db, Trx } from '#db/connect.server.ts';
import type { MeterType } from '#db/tables.ts';
import { MAX_UNFLAGGED_FLIGHT_HOURS } from '#app/limits.ts';
import type { Member } from '../actor.ts';
import { lockAircraft, requireAircraftRow, toAircraft } from '../aircraft/queries.server.ts';
import type { Aircraft } from '../aircraft/schema.server.ts';
import { updateLastReadings } from '../aircraft/save-last-reading.server.ts';
import { AppError } from '../app-error.ts';
import { meterTypeSchema } from '../meters/schema.server.ts';
import { hoursBetween, toHundredths } from '../reading.ts';
import { runOperation } from '../run-operation.server.ts';
import { texts } from '../texts.ts';
import { checkLastReading } from './check-start.ts';
import {
  meterChangeReasonInputSchema,
  newMeterFirstInputSchema,
  oldMeterLastInputSchema,
  remarkInputSchema,
} from './input-schemas.server.ts';
import { writeMeterChangeAuditEntry, startMeterSegment } from './meter-changes.server.ts';

export const declareMeterChangeSchema = z.object({
  meter: meterTypeSchema,
  reason: meterChangeReasonInputSchema,
  oldLast: oldMeterLastInputSchema,
  newFirst: newMeterFirstInputSchema,
  remark: remarkInputSchema.optional(),
});

type DeclareMeterChangeInput = z.infer<typeof declareMeterChangeSchema>;

/** Throws 'notFound', 'conflict' in flight, 'invalid' below the last reading or, until confirmed, far above it. */
export function declareMeterChange(
  db: Db,
  member: Member,
  aircraftId: number,
  input: DeclareMeterChangeInput,
  key?: string,
  { isConfirmed } = { isConfirmed: true },
): Promise<Aircraft> {
  const operation = {
    actor: member,
    can: 'change meters',
    key,
    operation: `change meter of ${aircraftId}`,
    input,
  } as const;
  return runOperation(db, operation, async (trx, actor) => {
    await lockAircraft(trx, actor.schoolId, aircraftId);
    const aircraft = await assertMetersChangeable(trx, actor, aircraftId);
    const last = input.meter === 'hobbs' ? aircraft.last_hobbs : aircraft.last_tach;
    if (last !== null && toHundredths(input.oldLast) < toHundredths(last)) {
      throw new AppError('invalid', `${texts.oldLastBelowLast} (${last})`).onField('oldLast');
    }
    if (!isConfirmed) assertNotFarAbove(input, { hobbs: aircraft.last_hobbs, tachometer: aircraft.last_tach });
    await startMeterSegment(trx, actor, { aircraft_id: aircraftId, flight_log_id: null }, input.meter, input);
    await updateLastReadings(trx, actor, aircraftId, { [input.meter]: input.newFirst });
    await writeMeterChangeAuditEntry(trx, actor, aircraftId, input.meter, input);
    return toAircraft(await requireAircraftRow(trx, actor, aircraftId));
  });
}

/** Throws also for a change that was declared already, in another tab. */
function assertNotFarAbove({ meter, oldLast }: DeclareMeterChangeInput, last: Record<MeterType, string | null>): void {
  const own = last[meter];
  if (own === null || !checkLastReading(meter, oldLast, last)) return;
  const hours = hoursBetween(own, oldLast);
  const text = `${hours} h since the last recorded reading (${own}): more than ${MAX_UNFLAGGED_FLIGHT_HOURS} h.`;
  throw new AppError('invalid', texts.readAgain, { oldLast: text, readAgain: texts.readAgain });
}

/** Finds the aircraft. Throws 'notFound', or 'conflict' during a flight, whose check-in declares a change. */
export async function assertMetersChangeable(db: Db | Trx, actor: Member, aircraftId: number) {
  const aircraft = await requireAircraftRow(db, actor, aircraftId);
  if (aircraft.in_flight) throw new AppError('conflict', texts.aircraftCheckedOut);
  return aircraft;
}

const changeFields = z.looseObject({ changed: z.unknown().optional() });
const changesFields = z.looseObject({ hobbs: changeFields.optional(), tach: changeFields.optional() });

/** Returns a form's meter changes, without those of meters whose box is not ticked. */
export function declaredChanges(fields: unknown): unknown {
  const { hobbs, tach } = changesFields.safeParse(fields).data ?? {};
  return {
    ...(hobbs?.changed ? { hobbs: withReadings(hobbs) } : {}),
    ...(tach?.changed ? { tach: withReadings(tach) } : {}),
  };
}

/** An empty field is told as missing. */
function withReadings({ changed: _box, ...change }: z.infer<typeof changeFields>) {
  return { oldLast: '', newFirst: '', ...change };
}
