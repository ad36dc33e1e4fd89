import { type OperandExpression, sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import type { Row } from '#db/tables.ts';
import { MS_PER_HOUR, RATIO_FLIGHTS } from '#app/limits.ts';
import { findMatchingScans, type ScanIds } from '../meters/flight-scans.server.ts';
import { type EndReadingBaseline, usualRatio } from './check-end.ts';
import { type ScanWithConfidence, photoReading } from './check-start.ts';

type Flight = Pick<
  Row<'flight_logs'>,
  'id' | 'school_id' | 'aircraft_id' | 'start_hobbs' | 'start_tach' | 'created_at' | 'completed_at' | 'departed_at'
>;

export interface NowAndRatio extends Pick<EndReadingBaseline, 'ratio'> {
  now: Date;
}

/** Finds what the end readings of a flight are held against; `known` is what was found before. */
export async function findEndReadingBaseline(
  db: Db | Trx,
  flight: Flight,
  scanIds?: ScanIds,
  known?: NowAndRatio,
): Promise<EndReadingBaseline> {
  const scans = scanIds ? await findMatchingScans(db, flight.school_id, flight.aircraft_id, scanIds) : undefined;
  const { now, ratio } = known ?? (await findNowAndRatio(db, flight.school_id, flight.id));
  return {
    start: { hobbs: flight.start_hobbs, tachometer: flight.start_tach },
    hoursOut: hoursOut(flight, now),
    ratio,
    photos: photoReadingsOf(scans),
  };
}

export function photoReadingsOf(scans?: { hobbs: ScanWithConfidence | null; tach: ScanWithConfidence | null }) {
  return { hobbs: photoReading(scans?.hobbs ?? null), tachometer: photoReading(scans?.tach ?? null) };
}

/** Reads the database's clock, and the usual ratio of the aircraft's meters before this flight. */
export async function findNowAndRatio(db: Db | Trx, schoolId: number, id: number): Promise<NowAndRatio> {
  const flight = db.selectFrom('flight_logs').where('school_id', '=', schoolId).where('id', '=', id);
  const [{ now }, ratio] = await Promise.all([
    db.selectNoFrom(sql<Date>`now()`.as('now')).executeTakeFirstOrThrow(),
    ratioOf(
      flightsOfAircraft(db, schoolId, flight.select('aircraft_id')).where(
        sql`(created_at, id)`,
        '<',
        sql`((${flight.select('created_at')}), ${id}::integer)`,
      ),
    ),
  ]);
  return { now, ratio };
}

export function findRatioBefore(
  db: Db | Trx,
  { school_id, aircraft_id, created_at }: Pick<Flight, 'school_id' | 'aircraft_id' | 'created_at'>,
): Promise<EndReadingBaseline['ratio']> {
  return ratioOf(flightsOfAircraft(db, school_id, aircraft_id).where('created_at', '<', created_at));
}

function flightsOfAircraft(db: Db | Trx, schoolId: number, aircraftId: OperandExpression<number> | number) {
  return db
    .selectFrom('flight_logs')
    .select([sql<string>`hobbs_hours`.as('hobbs'), sql<string>`tach_hours`.as('tach')])
    .where('school_id', '=', schoolId)
    .where('aircraft_id', '=', aircraftId)
    .where('completed_at', 'is not', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(RATIO_FLIGHTS);
}

async function ratioOf(flights: ReturnType<typeof flightsOfAircraft>): Promise<EndReadingBaseline['ratio']> {
  return usualRatio(await flights.execute());
}

function hoursOut({ created_at: checkedOut, completed_at, departed_at: departed }: Flight, now: Date): number {
  const out = departed && departed < checkedOut ? departed : checkedOut;
  return Math.max(0, ((completed_at ?? now).getTime() - out.getTime()) / MS_PER_HOUR);
}
