import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { FIRST_HASH } from './seal-entries.server.ts';

/**
 * Finds where the last clean-up says that the chain begins, by an entry that is itself proven later. Clean-ups of a school
 * that moved into this one say it of the chain that it had there: the event of that says it of this one.
 */
export async function findBeginning(db: Db | Trx, chain: number): Promise<{ position: number; hash: string }> {
  const { rows } = await sql<{ position: string; hash: string }>`
    select after ->> 'position' as position, after ->> 'hash' as hash from audit_entries
    where coalesce(school_id, 0) = ${chain}
      and (action = 'removed old activity' or action = 'imported school' and after ? 'position')
    order by id desc limit 1`.execute(db);
  const [last] = rows;
  return last ? { ...last, position: Number(last.position) } : { position: 0, hash: FIRST_HASH };
}
