import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Db, Trx } from '#db/connect.server.ts';
import type { Database, SquawkState } from '#db/tables.ts';
import { serverOnlyPaths } from '#app/paths.ts';
import { todayAtSchool } from '../aircraft/condition-queries.server.ts';
import { deferralOverText } from '../aircraft/find-conditions.ts';
import { isChangedSince } from '../changes.server.ts';
import { now } from '../database-clock.server.ts';
import { toApiPoint } from '../inspections/schema.server.ts';
import { toDuePoint } from '../inspections/due-point.ts';
import type { Squawk } from './schema.server.ts';
import { UNFIXED_STATES } from './squawk-states.ts';

export interface SquawkFilter {
  aircraftId?: number | undefined;
  states?: readonly SquawkState[] | undefined;
  after?: number | undefined;
  limit?: number | undefined;
  since?: RawBuilder<Date> | undefined;
}

/** Finds the school's squawks, newest first. */
export async function findSquawks(db: Db | Trx, schoolId: number | null, filter: SquawkFilter = {}): Promise<Squawk[]> {
  const { aircraftId, states, after, limit, since } = filter;
  const rows = await squawkQuery(db, schoolId)
    .$if(aircraftId !== undefined, (query) => query.where('squawks.aircraft_id', '=', aircraftId ?? 0))
    .$if(states !== undefined, (query) => query.where('squawks.state', 'in', states ?? []))
    .$if(since !== undefined, (query) => query.where(isChangedSince('squawks', schoolId, since ?? now)))
    .$if(after !== undefined, (query) => query.where('squawks.id', '<', after ?? 0))
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .orderBy('squawks.id', 'desc')
    .execute();
  return rows.map(toSquawk);
}

/** Finds those neither fixed nor withdrawn: unsafe ones, those whose deferral is over, then the newest. */
export async function findUnfixedSquawks(db: Db | Trx, schoolId: number | null, aircraftId: number): Promise<Squawk[]> {
  const squawks = await findSquawks(db, schoolId, { aircraftId, states: UNFIXED_STATES });
  const rankOf = ({ unsafe, deferralOver }: Squawk) => (unsafe ? 0 : deferralOver === null ? 2 : 1);
  return squawks.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Finds a squawk; undefined outside the school. */
export async function findSquawk(db: Db | Trx, schoolId: number | null, id: number): Promise<Squawk | undefined> {
  const row = await squawkQuery(db, schoolId).where('squawks.id', '=', id).executeTakeFirst();
  return row && toSquawk(row);
}

/** Selects the squawk of this flight's check-in, whatever its state, for `toSquawk`. */
export function squawkOfFlightQuery(db: Db, schoolId: number | null, flightLogId: number) {
  return squawkQuery(db, schoolId).where('flight_log_id', '=', flightLogId);
}

function squawkQuery(db: Db | Trx, schoolId: number | null) {
  return db
    .selectFrom('squawks')
    .innerJoin('aircraft', 'aircraft.id', 'squawks.aircraft_id')
    .innerJoin('users as author', 'author.id', 'squawks.user_id')
    .where('squawks.school_id', '=', schoolId)
    .select(['squawks.id', 'flight_log_id', 'text', 'unsafe', 'state', 'squawks.created_at'])
    .select([sql<string | null>`until_hobbs::text`.as('hobbs'), sql<string | null>`until_tach::text`.as('tach')])
    .select(sql<string | null>`until_on::text`.as('date'))
    .select(['aircraft.id as aircraft_id', 'tail_number', 'make', 'model'])
    .select([
      sql<string | null>`last_hobbs::text`.as('last_hobbs'),
      sql<string | null>`last_tach::text`.as('last_tach'),
    ])
    .select(sql<string>`${todayAtSchool}::text`.as('today'))
    .select(['author.id as author_id', 'author.username as author_username'])
    .select([historyJson, photosJson]);
}

type SquawkRow = Awaited<ReturnType<ReturnType<typeof squawkQuery>['execute']>>[number];

/** Makes a squawk of its row, also of one that came as JSON, with its time as text. */
export function toSquawk(row: Omit<SquawkRow, 'created_at'> & { created_at: Date | string }): Squawk {
  const until = toDuePoint(row);
  return {
    id: row.id,
    aircraft: { id: row.aircraft_id, tailNumber: row.tail_number, make: row.make, model: row.model },
    flightLogId: row.flight_log_id,
    text: row.text,
    unsafe: row.unsafe,
    state: row.state,
    until: until && toApiPoint(until),
    deferralOver: deferralOverText(until, { hobbs: row.last_hobbs, tach: row.last_tach, today: row.today }),
    author: { id: row.author_id, username: row.author_username },
    createdAt: new Date(row.created_at).toISOString(),
    photos: row.photos.map(({ id }) => serverOnlyPaths.photo(id)),
    history: row.history.map(({ by_id, by_username, at, hobbs, tach, date, ...event }) => {
      const point = toDuePoint({ hobbs, tach, date });
      return {
        ...event,
        until: point && toApiPoint(point),
        by: { id: by_id, username: by_username },
        at: new Date(at).toISOString(),
      };
    }),
  };
}

function historyJson(eb: ExpressionBuilder<Database, 'squawks'>) {
  return jsonArrayFrom(
    eb
      .selectFrom('squawk_events')
      .innerJoin('users as changer', 'changer.id', 'squawk_events.user_id')
      .select(['squawk_events.state', 'remark', 'changer.id as by_id', 'changer.username as by_username'])
      .select(sql<string>`squawk_events.created_at`.as('at'))
      .select(sql<string | null>`squawk_events.until_hobbs::text`.as('hobbs'))
      .select(sql<string | null>`squawk_events.until_tach::text`.as('tach'))
      .select(sql<string | null>`squawk_events.until_on::text`.as('date'))
      .whereRef('squawk_events.school_id', '=', 'squawks.school_id')
      .whereRef('squawk_events.squawk_id', '=', 'squawks.id')
      .orderBy('squawk_events.id'),
  ).as('history');
}

function photosJson(eb: ExpressionBuilder<Database, 'squawks'>) {
  return jsonArrayFrom(
    eb
      .selectFrom('squawk_photos')
      .select('photo_id as id')
      .whereRef('squawk_photos.school_id', '=', 'squawks.school_id')
      .whereRef('squawk_photos.squawk_id', '=', 'squawks.id')
      .orderBy('photo_id'),
  ).as('photos');
}
