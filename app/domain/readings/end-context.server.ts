import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import type { Row } from '#db/tables.ts';
import { RATIO_FLIGHTS } from '#app/limits.ts';
import type { ScanIds } from '../meters/flight-scans.server.ts';
import { findFlightScans } from '../meters/flight-scans.server.ts';
import type { EndContext } from './check-end.ts';
import { type ConfidentScan, photoReading } from './photo-reading.ts';
import { usualRatio } from './usual-ratio.ts';

type Flight = Pick<Row<'flight_logs'>, 'id' | 'school_id' | 'aircraft_id' | 'start_hobbs' | 'start_tach'>;

type TimeAndRatio = Pick<EndContext, 'hoursOut' | 'ratio'>;

/** What the end readings of a flight are held against; `known` is what was found before. */
export async function findEndContext(
  db: Db | Trx,
  flight: Flight,
  scanIds?: ScanIds,
  known?: TimeAndRatio,
): Promise<EndContext> {
  const scans = scanIds ? await findFlightScans(db, flight.school_id, flight.aircraft_id, scanIds) : undefined;
  return {
    start: { hobbs: flight.start_hobbs, tachometer: flight.start_tach },
    ...(known ?? (await findTimeAndRatio(db, flight.school_id, flight.id))),
    photos: photosOf(scans),
  };
}

export function photosOf(scans?: { hobbs: ConfidentScan | null; tach: ConfidentScan | null }) {
  return { hobbs: photoReading(scans?.hobbs ?? null), tachometer: photoReading(scans?.tach ?? null) };
}

/** How long the flight has lasted, and what the aircraft's flights before it say of its meters. */
export async function findTimeAndRatio(db: Db | Trx, schoolId: number, id: number): Promise<TimeAndRatio> {
  const flight = db.selectFrom('flight_logs').where('school_id', '=', schoolId).where('id', '=', id);
  const [time, flights] = await Promise.all([
    flight
      .select(sql<number>`extract(epoch from coalesce(completed_at, now()) - created_at)::float`.as('seconds'))
      .executeTakeFirst(),
    db
      .selectFrom('flight_logs')
      .select([sql<string>`hobbs_hours`.as('hobbs'), sql<string>`tach_hours`.as('tach')])
      .where('school_id', '=', schoolId)
      .where('aircraft_id', '=', flight.select('aircraft_id'))
      .where('completed_at', 'is not', null)
      .where(sql`(created_at, id)`, '<', sql`((${flight.select('created_at')}), ${id}::integer)`)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(RATIO_FLIGHTS)
      .execute(),
  ]);
  return { hoursOut: Math.max(0, (time?.seconds ?? 0) / 3600), ratio: usualRatio(flights) };
}
