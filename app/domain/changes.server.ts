import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import { startOfDay } from './database-clock.server.ts';

const COMMIT_LOCK = 20_261_122;

/** Waits for the school's commits under way: what ended before the instant it returns can be read from then on. */
export async function awaitCommits(db: Db, schoolId: number | null): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    select clock_timestamp() as at from (select pg_advisory_xact_lock(${COMMIT_LOCK}, ${schoolId ?? 0})) as alone`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw new Error('no row of the clock');
  return row.at;
}

/** Returns a mark that each change of the school's replaces; undefined while one is being committed. */
export async function findChangeMark(db: Db, schoolId: number | null): Promise<string | undefined> {
  const { rows: locks } = await sql<{ isAlone: boolean }>`
    select pg_try_advisory_xact_lock(${COMMIT_LOCK}, ${schoolId ?? 0}) as "isAlone"`.execute(db);
  if (!locks[0]?.isAlone) return undefined;
  const { rows } = await sql<{ mark: string }>`
    select concat_ws(' ', max(ended_at), max(id)) as mark from changes
    where school_id = ${schoolId} and ended_at = (
      select max(ended_at) from changes where school_id = ${schoolId} and ended_at is not null)`.execute(db);
  return rows[0]?.mark ?? '';
}

/** Returns the instant that is named, or the start of a day at the school. */
export function toSinceInstant(since: string, timeZone: string): RawBuilder<Date> {
  return since.includes('T') ? sql`${since}::timestamptz` : startOfDay(since, timeZone);
}

/** Tells a row that has changed since, in a way that the planner has figures for. */
export function isChangedSince(
  table: 'flight_logs' | 'removed_flights' | 'aircraft' | 'users' | 'squawks',
  schoolId: number | null,
  since: RawBuilder<Date>,
): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${table}.change_id`)} in (${changeIdsSince(schoolId, since)})`;
}

/** Selects the transactions since then, and the one of the rows that were there before. */
export function changeIdsSince(schoolId: number | null, since: RawBuilder<Date>) {
  return sql`select changes.id from changes
    where (changes.school_id = ${schoolId} or changes.id = 0) and changes.ended_at >= ${since}`;
}

/** Part of a list that is ordered by id. */
export interface ListPageQuery {
  after: number | undefined;
  limit: number | undefined;
  /** Instant, or day at the school. */
  since: string | undefined;
}

export function asksForAll({ after, limit, since }: ListPageQuery): boolean {
  return after === undefined && limit === undefined && since === undefined;
}
