import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import { LINE_FLIGHTS } from '#app/limits.ts';
import type { Cursor } from '../flights/queries.server.ts';
import type { LineFlight } from './reading-line.ts';

export interface LineFlightRow extends LineFlight {
  startedAt: string;
  isCompleted: boolean;
  corrected: boolean;
}

export interface LinePage {
  /** Newest first. */
  flights: LineFlightRow[];
  /** The flight before the oldest one, to be compared with. */
  previous: LineFlightRow | undefined;
  /** Null: there is none older. */
  older: Cursor | null;
}

/** The aircraft's newest flights, or those older than `after`. */
export async function findLinePage(
  db: Db,
  schoolId: number | null,
  aircraftId: number,
  after?: Cursor,
): Promise<LinePage> {
  const rows = await lineQuery(db, schoolId, aircraftId)
    .$if(after !== undefined, (query) => query.where(position, '<', positionOf(after)))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(LINE_FLIGHTS + 1)
    .execute();
  const all = rows.map(toLineFlight);
  const flights = all.slice(0, LINE_FLIGHTS);
  const previous = all[LINE_FLIGHTS];
  const last = flights.at(-1);
  return { flights, previous, older: previous && last ? { createdAt: last.startedAt, id: last.id } : null };
}

/** The aircraft's flights right before and after this one. */
export async function findNeighbourFlights(
  db: Db,
  schoolId: number | null,
  { id, aircraft, createdAt }: { id: number; aircraft: { id: number }; createdAt: string },
) {
  const neighbour = (name: 'previous' | 'next', side: '<' | '>', direction: 'asc' | 'desc') => {
    const query = lineQuery(db, schoolId, aircraft.id)
      .select(sql<string>`${name}::text`.as('name'))
      .where(position, side, positionOf({ createdAt, id }))
      .orderBy('created_at', direction)
      .orderBy('id', direction)
      .limit(1);
    return db.selectFrom(query.as('flight')).selectAll();
  };
  const rows = await neighbour('previous', '<', 'desc')
    .unionAll(neighbour('next', '>', 'asc'))
    .execute();
  const [previous, next] = ['previous', 'next'].map((name) => rows.find((row) => row.name === name));
  return { previous: previous && toLineFlight(previous), next: next && toLineFlight(next) };
}

const position = sql<string>`(created_at, id)`;

function positionOf(cursor: Cursor | undefined) {
  return sql<string>`(${cursor?.createdAt}::timestamptz, ${cursor?.id}::integer)`;
}

function lineQuery(db: Db, schoolId: number | null, aircraftId: number) {
  return db
    .selectFrom('flight_logs')
    .select(['id', 'created_at', 'completed_at', 'start_hobbs', 'end_hobbs', 'start_tach', 'end_tach'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('flight_log_revisions')
          .select('flight_log_revisions.id')
          .whereRef('flight_log_revisions.school_id', '=', 'flight_logs.school_id')
          .whereRef('flight_log_revisions.flight_log_id', '=', 'flight_logs.id'),
      ).as('corrected'),
    )
    .where('school_id', '=', schoolId)
    .where('aircraft_id', '=', aircraftId)
    .where('voided_at', 'is', null);
}

type LineRow = Awaited<ReturnType<ReturnType<typeof lineQuery>['execute']>>[number];

function toLineFlight(row: LineRow): LineFlightRow {
  return {
    id: row.id,
    startedAt: row.created_at.toISOString(),
    isCompleted: row.completed_at !== null,
    corrected: Boolean(row.corrected),
    readings: {
      hobbs: { start: row.start_hobbs, end: row.end_hobbs },
      tach: { start: row.start_tach, end: row.end_tach },
    },
  };
}
