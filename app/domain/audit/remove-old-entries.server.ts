import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { inTransaction } from '#db/transaction.ts';
import { MAX_REMOVED_ENTRIES } from '#app/limits.ts';
import { tryLockChain } from './seal-entries.server.ts';
import { writeAuditEntry } from './write-audit-entry.server.ts';

/** Removes the beginning of each chain that is older than its school keeps it, and records where the chain now begins. */
export async function removeOldEntries(db: Db): Promise<void> {
  for (const chain of await findChainsWithOldEntries(db)) {
    await inTransaction(db, (trx) => removeBeginning(trx, chain));
  }
}

const isOld = sql<boolean>`audit_entry_expired(school_id, created_at)`;

async function findChainsWithOldEntries(db: Db): Promise<number[]> {
  const { rows } = await sql<{ chain: number }>`
    select id as chain from (select id from schools union all select 0) chains
    where (select audit_entry_expired(school_id, created_at) from audit_seals
      join audit_entries on audit_entries.id = entry_id where chain = chains.id order by position limit 1)`.execute(db);
  return rows.map(({ chain }) => chain);
}

async function removeBeginning(trx: Trx, chain: number): Promise<void> {
  // A school that moves in proves its chain and notes where it begins.
  if (!(await tryLockChain(trx, chain))) return;
  const last = await findLastOfBeginning(trx, chain);
  if (!last) return;
  const beginning = trx
    .selectFrom('audit_seals')
    .select('entry_id')
    .where('chain', '=', chain)
    .where('position', '<=', last.position)
    .forUpdate();
  const entryIds = (await beginning.execute()).map(({ entry_id }) => entry_id);
  if (entryIds.length === 0) return;
  await trx.deleteFrom('audit_seals').where('entry_id', 'in', entryIds).execute();
  await trx.deleteFrom('audit_entries').where('id', 'in', entryIds).execute();
  await writeAuditEntry(
    trx,
    { id: null, schoolId: chain === 0 ? null : chain },
    {
      action: 'removed old activity',
      subject: 'activity',
      after: { entries: entryIds.length, position: last.position, hash: last.hash },
    },
  );
}

function findLastOfBeginning(trx: Trx, chain: number) {
  const batch = trx
    .selectFrom('audit_seals')
    .innerJoin('audit_entries', 'audit_entries.id', 'entry_id')
    .select(['position', 'hash', isOld.as('is_old')])
    .where('chain', '=', chain)
    .orderBy('position')
    .limit(MAX_REMOVED_ENTRIES);
  return trx
    .selectFrom(batch.as('batch'))
    .select(['position', 'hash'])
    .where('is_old', '=', true)
    .where(
      'position',
      '<',
      sql<number>`coalesce((select min(position) from ${batch} young where not is_old), ${2 ** 31 - 1}::bigint)`,
    )
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
}
