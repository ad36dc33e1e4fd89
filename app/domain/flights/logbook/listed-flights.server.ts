import type { Db } from '#db/connect.server.ts';
import { withoutWaitingBudget } from '#db/waiting-budget.ts';
import { LISTED_FLIGHTS_BATCH_ROWS } from '#app/limits.ts';
import { toSinceInstant, isChangedSince } from '../../changes.server.ts';
import { isOnPage } from '../../list-pages.server.ts';
import { findFlightLogs, type FlightListOptions } from '../queries.server.ts';
import type { FlightLog, RemovedFlight } from '../schema.server.ts';

export type ListedFlight = FlightLog | RemovedFlight;

/** Finds the school's flights, newest start first; among what has changed also those that were cancelled or removed. */
export async function findListedFlights(
  db: Db,
  schoolId: number | null,
  query: FlightListOptions,
): Promise<ListedFlight[]> {
  const { since, limit } = query;
  if (since === undefined) return findFlightLogs(db, schoolId, query);
  const flights = await findFlightLogs(db, schoolId, { ...query, includeCancelled: true });
  const removed = await findRemovedFlights(db, schoolId, { ...query, since });
  if (removed.length === 0) return flights;
  return [...flights, ...removed].toSorted(byStart).slice(0, limit);
}

/** Finds each batch by a statement of its own: a slow reader keeps no connection, and meets no time limit. */
export async function* findListedBatches(
  db: Db,
  schoolId: number | null,
  { after: start, ...filter }: FlightListOptions,
): AsyncGenerator<ListedFlight[], void> {
  const find = (after = start) =>
    findListedFlights(db, schoolId, { ...filter, after, limit: LISTED_FLIGHTS_BATCH_ROWS });
  let flights = await find();
  yield flights;
  for (let last = flights.at(-1); last && flights.length === LISTED_FLIGHTS_BATCH_ROWS; last = flights.at(-1)) {
    const { createdAt, id } = last;
    flights = await withoutWaitingBudget(() => find({ createdAt, id }));
    yield flights;
  }
}

type RemovedQuery = Pick<FlightListOptions, 'after' | 'limit' | 'timeZone'> & { since: string };

/** Finds removed flights, whatever else is asked for: a client that never had one of them drops nothing. */
async function findRemovedFlights(
  db: Db,
  schoolId: number | null,
  { since, timeZone = 'UTC', after, limit }: RemovedQuery,
): Promise<RemovedFlight[]> {
  const rows = await db
    .selectFrom('removed_flights')
    .select(['id', 'created_at'])
    .where('school_id', '=', schoolId)
    .where(isChangedSince('removed_flights', schoolId, toSinceInstant(since, timeZone)))
    .where(isOnPage('removed_flights', { after }))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute();
  return rows.map(({ id, created_at }) => ({ id, createdAt: created_at.toISOString(), status: 'removed' }));
}

function byStart(one: ListedFlight, other: ListedFlight): number {
  return other.createdAt.localeCompare(one.createdAt) || other.id - one.id;
}
