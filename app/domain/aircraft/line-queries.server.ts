import { type Expression, type InferResult, type ShallowDehydrateObject, sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import { READING_LINE_PAGE_FLIGHTS } from '#app/limits.ts';
import { type FlightKey } from '../flights/logbook/flight-filter.server.ts';
import { type Cursor, isOnPage } from '../list-pages.server.ts';
import { adjacentFlightId, placeOfRow } from '../flights/flight-order.server.ts';
import { isCorrected } from '../flights/queries.server.ts';
import { findMeterChanges, readingTextColumn } from '../readings/meter-changes.server.ts';
import type { LineFlight, SegmentChange } from './reading-line.ts';

interface LineFlightRow extends LineFlight {
  startedAt: string;
  isCompleted: boolean;
  corrected: boolean;
}

export type LinePage = Awaited<ReturnType<typeof findLinePage>>;

/** Finds the aircraft's newest flights, or those older than `after`. */
export async function findLinePage(db: Db, schoolId: number | null, aircraftId: number, after?: Cursor) {
  const rows = await lineQuery(db, schoolId, aircraftId)
    .where(isOnPage('flight_logs', { after }))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(sql.lit(READING_LINE_PAGE_FLIGHTS + 1))
    .execute();
  const all = rows.map(toLineFlight);
  const flights = all.slice(0, READING_LINE_PAGE_FLIGHTS);
  const previous = all[READING_LINE_PAGE_FLIGHTS];
  const last = flights.at(-1);
  return { flights, previous, older: previous && last ? { createdAt: last.startedAt, id: last.id } : null };
}

/** The flight of `aircraft`, a row beside it in the statement, right before ('<') or after this one. */
export function neighbourFlightQuery(db: Db, { schoolId, id }: FlightKey, side: '<' | '>') {
  const beside = db
    .selectFrom('flight_logs')
    .select(adjacentFlightId(placeOfRow('aircraft_id'), side).as('id'))
    .where('school_id', '=', schoolId)
    .where('id', '=', id);
  return lineQuery(db, schoolId, sql.ref<number>('aircraft.id')).where('id', '=', beside);
}

function lineQuery(db: Db, schoolId: number | null, aircraftId: number | Expression<number>) {
  return db
    .selectFrom('flight_logs')
    .select(['id', 'created_at', 'completed_at'])
    .select([readingTextColumn('start_hobbs').as('start_hobbs'), readingTextColumn('start_tach').as('start_tach')])
    .select(readingTextColumn<string | null>('end_hobbs').as('end_hobbs'))
    .select(readingTextColumn<string | null>('end_tach').as('end_tach'))
    .select(isCorrected.as('corrected'))
    .where('school_id', '=', schoolId)
    .where('aircraft_id', '=', aircraftId)
    .where('voided_at', 'is', null);
}

type LineRow = InferResult<ReturnType<typeof lineQuery>>[number];

/** Turns a row, or one that was read from JSON, into a flight. */
export function toLineFlight(row: LineRow | ShallowDehydrateObject<LineRow>): LineFlightRow {
  return {
    id: row.id,
    startedAt: new Date(row.created_at).toISOString(),
    isCompleted: row.completed_at !== null,
    corrected: row.corrected,
    readings: {
      hobbs: { start: row.start_hobbs, end: row.end_hobbs },
      tach: { start: row.start_tach, end: row.end_tach },
    },
  };
}

interface ShownFlight {
  id: number;
  startedAt: string;
}

/** Finds the aircraft's meter changes at the flights, which are in the order of their start. */
export async function findSegmentChanges(
  db: Db,
  schoolId: number | null,
  aircraftId: number,
  flights: ShownFlight[],
): Promise<SegmentChange[]> {
  return toSegmentChanges(await findMeterChanges(db, schoolId, aircraftId), flights);
}

type MeterChange = Awaited<ReturnType<typeof findMeterChanges>>[number];

export function toSegmentChanges(found: MeterChange[], flights: ShownFlight[]): SegmentChange[] {
  return found.flatMap(({ meter_type, reason, old_last, first_reading, started_at, flight_log_id }) => {
    const next = flights.find(({ startedAt }) => new Date(startedAt) >= started_at);
    const flightId = flight_log_id ?? next?.id;
    if (flightId === undefined || reason === 'new aircraft' || old_last === null || first_reading === null) return [];
    return [
      {
        flightId,
        reason,
        meter: meter_type === 'hobbs' ? 'hobbs' : 'tach',
        place: flight_log_id === null ? 'before' : 'within',
        oldLast: old_last,
        newFirst: first_reading,
      },
    ];
  });
}
