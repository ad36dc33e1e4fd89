import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import { inTransaction } from '#db/transaction.ts';
import { MAX_REMOVED_ACTIVITY_ENTRIES } from '#app/limits.ts';
import { tryLockChain } from './seal-entries.server.ts';

/** Has Postgres remove the beginning of each chain that is older than its school keeps it, and record where it now begins. */
export async function removeOldEntries(db: Db): Promise<void> {
  for (const chain of await findChainsWithOldEntries(db)) {
    await inTransaction(db, async (trx) => {
      if (await tryLockChain(trx, chain))
        await sql`select remove_old_activity(${chain}, ${MAX_REMOVED_ACTIVITY_ENTRIES})`.execute(trx);
    });
  }
}

async function findChainsWithOldEntries(db: Db): Promise<number[]> {
  const { rows } = await sql<{ chain: number }>`
    select id as chain from (select id from schools union all select 0) chains
    where (select audit_entry_expired(school_id, created_at) from audit_seals
      join audit_entries on audit_entries.id = entry_id where chain = chains.id order by position limit 1)`.execute(db);
  return rows.map(({ chain }) => chain);
}
