import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import { FIRST_HASH } from './seal-entries.server.ts';

/**
 * Finds where the last clean-up says that the chain begins, by an entry that is itself proven later. Clean-ups of a school
 * that moved into this one say it of the chain that it had there.
 */
export async function findBeginning(db: Db, chain: number): Promise<{ position: number; hash: string }> {
  const { rows } = await sql<{ position: number; hash: string }>`
    select (after ->> 'position')::integer as position, after ->> 'hash' as hash from audit_entries
    where coalesce(school_id, 0) = ${chain} and action = 'removed old activity'
      and id > coalesce((
        select max(id) from audit_entries
        where coalesce(school_id, 0) = ${chain} and action = 'imported school' and after ? 'follows'), 0)
    order by id desc limit 1`.execute(db);
  return rows[0] ?? { position: 0, hash: FIRST_HASH };
}
