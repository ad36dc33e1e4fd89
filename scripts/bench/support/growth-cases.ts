import { sql } from 'kysely';
import { paths } from '#app/paths.ts';
import { formatCursor } from '#app/server/cursor.server.ts';
import type { BenchDatabase } from './bench-databases.ts';

export const DETAILS = 'details of a flight';

/** Returns the same pages and API calls for each database, with its own ids. */
export async function growthPaths({ db }: BenchDatabase): Promise<Record<string, string>> {
  const { id, createdAt } = await middleFlight(db);
  return {
    dashboard: paths.dashboard,
    'the line': paths.line,
    'list, first page': paths.flightLogs,
    'list, in the middle': paths.flightLogsPage({ after: formatCursor({ id, createdAt }) }),
    'list of one aircraft': paths.flightLogsPage({ aircraftId: 1 }),
    'list of one pilot': paths.flightLogsPage({ pilotId: 3 }),
    [DETAILS]: paths.flightLog(id),
    hours: paths.hours({}),
    fleet: paths.fleet,
    'one aircraft': paths.aircraft(1),
    users: paths.users,
    'check-out': paths.checkOut,
    'check-out, readings': paths.checkOutAircraft(1),
    'API: aircraft': '/api/aircraft',
    'API: users': '/api/users',
    'API: open flights': '/api/flight-logs/open',
    'API: one flight': `/api/flight-logs/${id}`,
  };
}

async function middleFlight(db: BenchDatabase['db']): Promise<{ id: number; createdAt: string }> {
  const { rows } = await sql<{ id: number; createdAt: Date }>`
    select id, created_at as "createdAt" from flight_logs where school_id = 1 and id >= (
      select (min(id) + max(id)) / 2 from flight_logs where school_id = 1
    ) order by id limit 1`.execute(db);
  const [flight] = rows;
  if (!flight) throw new Error('There is no flight.');
  return { id: flight.id, createdAt: flight.createdAt.toISOString() };
}
