import { z } from 'zod';
import type { Db, Trx } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { requireAircraft } from '../aircraft/find-aircraft-for-update.server.ts';
import { lockAircraft, toAircraft } from '../aircraft/queries.server.ts';
import type { Aircraft } from '../aircraft/schema.server.ts';
import { updateLastReadings } from '../aircraft/update-last-readings.server.ts';
import { AppError } from '../app-error.ts';
import { meterTypeSchema } from '../meters/schema.server.ts';
import { toHundredths } from '../reading.ts';
import { runOperation } from '../run-operation.server.ts';
import { texts } from '../texts.ts';
import {
  changeReasonInputSchema,
  newFirstInputSchema,
  oldLastInputSchema,
  remarkInputSchema,
} from './input-schemas.server.ts';
import { insertSegment, recordMeterChange } from './meter-changes.server.ts';

export const declareMeterChangeSchema = z.object({
  meter: meterTypeSchema,
  reason: changeReasonInputSchema,
  oldLast: oldLastInputSchema,
  newFirst: newFirstInputSchema,
  remark: remarkInputSchema.optional(),
});

export type DeclareMeterChangeInput = z.infer<typeof declareMeterChangeSchema>;

/** Between flights. Throws 'notFound', 'conflict' during a flight, 'invalid' for an old meter below the last reading. */
export function declareMeterChange(
  db: Db,
  member: Member,
  aircraftId: number,
  input: DeclareMeterChangeInput,
  key?: string,
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
    await insertSegment(trx, actor, { aircraft_id: aircraftId, flight_log_id: null }, input.meter, input);
    await updateLastReadings(trx, actor, aircraftId, { [input.meter]: input.newFirst });
    await recordMeterChange(trx, actor, aircraftId, input.meter, input);
    return toAircraft(await requireAircraft(trx, actor, aircraftId));
  });
}

/** Throws 'notFound', or 'conflict' during a flight, whose check-in declares a change. */
export async function assertMetersChangeable(db: Db | Trx, actor: Member, aircraftId: number) {
  const aircraft = await requireAircraft(db, actor, aircraftId);
  if (aircraft.in_flight) throw new AppError('conflict', texts.aircraftCheckedOut);
  return aircraft;
}
