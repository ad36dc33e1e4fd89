import type { Db, Trx } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { findAircraftRow, lockAircraft } from '../aircraft/queries.server.ts';
import { deleteDraft } from '../drafts.server.ts';
import { mailOverdueOf } from '../inspections/mail-overdue.server.ts';
import { findFlightPhotoIds } from '../meters/flight-scans.server.ts';
import { AppError } from '../app-error.ts';
import { runOperation } from '../run-operation.server.ts';
import { texts } from '../texts.ts';
import type { StartFlightInput } from './schema.server.ts';
import { findFlightLog, findOpenFlights } from './queries.server.ts';
import type { FlightLog } from './schema.server.ts';
import { readingFlags } from './reading-flags.ts';
import { findStartWarnings } from './start-warnings.server.ts';

export const CHECK_OUT_DRAFT_KEY = 'check-out';

/** Throws as `assertStartable` does; two partial unique indexes enforce the same. */
export function startFlight(db: Db, member: Member, input: StartFlightInput, key?: string): Promise<FlightLog> {
  const { aircraftId, startHobbsTime, startTachTime } = input;
  const operation = { actor: member, can: 'check out aircraft', key, operation: 'start flight', input } as const;
  return runOperation(db, operation, async (trx, pilot) => {
    await lockAircraft(trx, pilot.schoolId, aircraftId);
    const aircraft = await assertStartable(trx, pilot, aircraftId);
    const scans = { hobbs: input.startHobbsScan, tach: input.startTachScan };
    const photoIds = await findFlightPhotoIds(trx, pilot.schoolId, aircraftId, scans);
    const warnings = await findStartWarnings(trx, pilot, input);
    const { id } = await trx
      .insertInto('flight_logs')
      .values({
        school_id: pilot.schoolId,
        aircraft_id: aircraftId,
        user_id: pilot.id,
        start_hobbs: startHobbsTime,
        start_tach: startTachTime,
        start_hobbs_photo_id: photoIds.hobbs,
        start_tach_photo_id: photoIds.tach,
        reading_flags: JSON.stringify(readingFlags(aircraft, input)),
        unsafe_at_start: JSON.stringify(warnings.unsafe),
        overdue_at_start: JSON.stringify(warnings.overdue),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await mailOverdueOf(trx, { ...pilot, id: aircraftId });
    await deleteDraft(trx, pilot.id, CHECK_OUT_DRAFT_KEY);
    return readBackFlightLog(trx, pilot.schoolId, id);
  });
}

/** Throws 'notFound' outside the school's fleet, 'conflict' for a pilot in flight or an unavailable aircraft. */
export async function assertStartable(db: Db | Trx, pilot: Member, aircraftId: number) {
  const aircraft = await findAircraftRow(db, pilot.schoolId, aircraftId);
  if (!aircraft) throw new AppError('notFound', texts.aircraftNotFound);
  const [own] = await findOpenFlights(db, pilot.schoolId, pilot.id);
  if (own) throw new AppError('conflict', texts.activeFlight);
  if (aircraft.maintenance_since && !aircraft.in_flight) throw new AppError('conflict', texts.aircraftInMaintenance);
  if (aircraft.in_flight) throw new AppError('conflict', texts.aircraftCheckedOut);
  return aircraft;
}

export async function readBackFlightLog(trx: Trx, schoolId: number, id: number): Promise<FlightLog> {
  const log = await findFlightLog(trx, schoolId, id);
  if (!log) throw new Error(`flight log ${id} is gone within its own transaction`);
  return log;
}
