import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';

/** As in the migration of changes. */
const COMMIT_LOCK = 20_261_122;

/** Waits for the commits of the school that are under way: what ended before the instant it returns can be read from then on. */
export async function awaitCommits(db: Db, schoolId: number | null): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    select clock_timestamp() as at from (select pg_advisory_xact_lock(${COMMIT_LOCK}, ${schoolId ?? 0})) as alone`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw new Error('no row of the clock');
  return row.at;
}
