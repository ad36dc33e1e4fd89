import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import type { Row } from '#db/tables.ts';
import { RATIO_FLIGHTS } from '#app/limits.ts';
import type { ScanIds } from '../meters/flight-scans.server.ts';
import { findFlightScans } from '../meters/flight-scans.server.ts';
import type { EndContext } from './check-end.ts';
import { type ConfidentScan, photoReading } from './photo-reading.ts';
import { type UsualRatio, usualRatio } from './usual-ratio.ts';

type Flight = Pick<
  Row<'flight_logs'>,
  'id' | 'school_id' | 'aircraft_id' | 'start_hobbs' | 'start_tach' | 'created_at' | 'completed_at' | 'departed_at'
>;

/** What the end readings of a flight are held against. */
export async function findEndContext(db: Db | Trx, flight: Flight, scanIds?: ScanIds): Promise<EndContext> {
  const scans = scanIds ? await findFlightScans(db, flight.school_id, flight.aircraft_id, scanIds) : undefined;
  return {
    start: { hobbs: flight.start_hobbs, tachometer: flight.start_tach },
    ...(await findTimeAndRatio(db, flight)),
    photos: photosOf(scans),
  };
}

export function photosOf(scans?: { hobbs: ConfidentScan | null; tach: ConfidentScan | null }) {
  return { hobbs: photoReading(scans?.hobbs ?? null), tachometer: photoReading(scans?.tach ?? null) };
}

async function findTimeAndRatio(db: Db | Trx, flight: Flight): Promise<{ hoursOut: number; ratio: UsualRatio | null }> {
  const flights = db
    .selectFrom('flight_logs')
    .select([sql<string>`hobbs_hours`.as('hobbs'), sql<string>`tach_hours`.as('tach')])
    .where('school_id', '=', flight.school_id)
    .where('aircraft_id', '=', flight.aircraft_id)
    .where('completed_at', 'is not', null)
    .where(sql`(created_at, id)`, '<', sql`(${flight.created_at.toISOString()}::timestamptz, ${flight.id}::integer)`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(RATIO_FLIGHTS);
  const { departed_at: departed, created_at: checkedOut } = flight;
  const out = departed && departed < checkedOut ? departed : checkedOut;
  const { seconds } = await db
    .selectNoFrom(
      sql<number>`extract(epoch from coalesce(${flight.completed_at?.toISOString() ?? null}::timestamptz, now())
      - ${out.toISOString()}::timestamptz)::float`.as('seconds'),
    )
    .executeTakeFirstOrThrow();
  return { hoursOut: Math.max(0, seconds / 3600), ratio: usualRatio(await flights.execute()) };
}
