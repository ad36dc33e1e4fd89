import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import type { NewRow } from '#db/tables.ts';
import { constraintOf, inTransaction } from '#db/transaction.ts';
import { SEAL_BATCH_ENTRIES, SEAL_LOOKBACK_ENTRIES } from '#app/limits.ts';
import { asActivityRole } from './activity-role.server.ts';

/** Hash before the first entry of a chain. */
export const FIRST_HASH = '';

/** Text of all that a hash protects, the same at any time and in any time zone. */
export const sealedText = sql<string>`jsonb_build_array(
  id, school_id, user_id, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS'), action, subject, subject_id,
  before, after, reason, outcome, times, address, request_id, email_digest)::text`;

const chainOf = sql<number>`coalesce(school_id, 0)`;

export function sealHash(previousHash: string, text: string): string {
  return createHash('sha256').update(`${previousHash}\n${text}`).digest('hex');
}

export interface ChainHead {
  chain: number;
  position: number;
  hash: string;
}

/** Appends committed entries to the chains of their schools; returns the new heads (docs/decisions/073). */
export async function sealEntries(db: Db): Promise<ChainHead[]> {
  const newHeads = new Map<number, ChainHead>();
  for (let count = SEAL_BATCH_ENTRIES; count === SEAL_BATCH_ENTRIES;) {
    const seals = await sealBatch(db);
    for (const { chain, position, hash } of seals) newHeads.set(chain, { chain, position, hash });
    count = seals.length;
  }
  return [...newHeads.values()];
}

async function sealBatch(db: Db): Promise<NewRow<'audit_seals'>[]> {
  try {
    return await inTransaction(db, (trx) => sealFound(trx));
  } catch (error) {
    // Another process sealed the same entries at the same time.
    if (constraintOf(error)?.startsWith('audit_seals_')) return [];
    throw error;
  }
}

/** Seals all entries with ids below `before`; others who seal wait for the end of the transaction. */
export async function sealEntriesBefore(trx: Trx, before: number): Promise<void> {
  await sql`lock table audit_seals in share row exclusive mode`.execute(trx);
  while ((await sealFound(trx, before)).length === SEAL_BATCH_ENTRIES) {}
}

async function sealFound(trx: Trx, before?: number): Promise<NewRow<'audit_seals'>[]> {
  const heads = new Map<number, { position: number; hash: string }>();
  const seals: NewRow<'audit_seals'>[] = [];
  for (const { id, chain, text } of await findUnsealed(trx, before)) {
    const head = heads.get(chain) ?? (await findHead(trx, chain));
    const seal = { chain, position: head.position + 1, entry_id: id, previous_hash: head.hash };
    const hash = sealHash(head.hash, text);
    seals.push({ ...seal, hash });
    heads.set(chain, { position: seal.position, hash });
  }
  if (seals.length > 0)
    await asActivityRole(trx, async () => void (await trx.insertInto('audit_seals').values(seals).execute()));
  return seals;
}

/** Finds entries in the order of their ids, but for those that were committed late. */
function findUnsealed(trx: Trx, before?: number) {
  return trx
    .selectFrom('audit_entries')
    .select(['id', chainOf.as('chain'), sealedText.as('text')])
    .where(
      'id',
      '>',
      sql<number>`coalesce((select max(entry_id) from audit_seals), 0) - ${SEAL_LOOKBACK_ENTRIES}::integer`,
    )
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('audit_seals').select('entry_id').whereRef('entry_id', '=', 'audit_entries.id'))),
    )
    .orderBy('id')
    .limit(SEAL_BATCH_ENTRIES)
    .execute();
}

export async function findHead(trx: Trx, chain: number): Promise<{ position: number; hash: string }> {
  const head = await trx
    .selectFrom('audit_seals')
    .select(['position', 'hash'])
    .where('chain', '=', chain)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return head ?? { position: 0, hash: FIRST_HASH };
}
