import type { Db } from '#db/connect.server.ts';
import type { Actor } from '../actor.ts';
import { findAircraft } from '../aircraft/queries.server.ts';
import { can } from '../permissions.ts';
import { AppError } from '../app-error.ts';
import { isClosableBy } from './close-flight.server.ts';
import { assertCorrectable } from './correct-readings.server.ts';
import type { FlightLog } from './schema.server.ts';

export interface FlightPermissions {
  complete: boolean;
  cancel: boolean;
  close: boolean;
  correct: boolean;
  ground: boolean;
}

/** What the user may do with a flight of their school now. */
export async function findFlightPermissions(db: Db, reader: Actor, log: FlightLog): Promise<FlightPermissions> {
  const open = log.completedAt === null;
  const own = log.user.id === reader.id;
  return {
    complete: open && own,
    cancel: open && (own || can(reader.role, 'cancel any check-out')),
    close: open && !own && isClosableBy(reader, new Date(log.createdAt)),
    correct: await isCorrectable(db, reader, log),
    ground: can(reader.role, 'set aircraft status') && (await isGroundable(db, reader, log)),
  };
}

async function isCorrectable(db: Db, reader: Actor, log: FlightLog): Promise<boolean> {
  try {
    await assertCorrectable(db, reader, log.id);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

async function isGroundable(db: Db, reader: Actor, log: FlightLog): Promise<boolean> {
  const aircraft = await findAircraft(db, reader.schoolId, log.aircraft.id);
  return aircraft !== undefined && aircraft.status !== 'maintenance' && !aircraft.groundedOnReturn;
}
