import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { sealedTextExpression } from '#db/activity-chain.ts';
import type { Db, Trx } from '#db/connect.server.ts';
import type { NewRow } from '#db/tables.ts';
import { inTransaction } from '#db/transaction.ts';
import { SEAL_BATCH_ENTRIES, SEAL_LOOKBACK_ENTRIES } from '#app/limits.ts';

/** Hash before the first entry of a chain. */
export const HASH_BEFORE_FIRST_ENTRY = '';

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
export function sealEntries(db: Db): Promise<ChainHead[]> {
  return sealAfter(db, newest);
}

/** As `sealEntries`, however far back an entry is: ids of a school that moves in come between a slow one and the newest. */
export function sealLateEntries(db: Db): Promise<ChainHead[]> {
  return sealAfter(db, 0);
}

/** The id after which entries are looked at. */
type After = number | RawBuilder<number>;

const newest = sql<number>`coalesce((select max(entry_id) from audit_seals), 0) - ${SEAL_LOOKBACK_ENTRIES}::integer`;

async function sealAfter(db: Db, after: After): Promise<ChainHead[]> {
  const newHeads = new Map<number, ChainHead>();
  for (let count = SEAL_BATCH_ENTRIES; count === SEAL_BATCH_ENTRIES;) {
    const seals = await inTransaction(db, async (trx) => sealFound(trx, await lockUnsealedChains(trx, after), after));
    for (const { chain, position, hash } of seals) newHeads.set(chain, { chain, position, hash });
    count = seals.length;
  }
  return [...newHeads.values()];
}

/** Any number that nothing else locks. */
const CHAINS_LOCK = 20_261_127;

/** Locks the chains that nobody else appends to; the others have their turn later. */
async function lockUnsealedChains(trx: Trx, after: After): Promise<number[]> {
  const { rows } = await sql<{ chain: number }>`
    select chain from (
      select distinct ${chainOf} as chain from audit_entries where id > ${after}
        and not exists (select from audit_seals where entry_id = audit_entries.id)
    ) as chains where pg_try_advisory_xact_lock(${CHAINS_LOCK}, chain)`.execute(trx);
  return rows.map(({ chain }) => chain);
}

/** Locks a chain unless somebody else has it. */
export async function tryLockChain(trx: Trx, chain: number): Promise<boolean> {
  const { rows } = await sql<{ isMine: boolean }>`
    select pg_try_advisory_xact_lock(${CHAINS_LOCK}, ${chain}) as "isMine"`.execute(trx);
  return rows[0]?.isMine === true;
}

/** Seals what is left of a chain, which nobody else appends to until the end of the transaction. */
export async function sealRestOfChain(trx: Trx, chain: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${CHAINS_LOCK}, ${chain})`.execute(trx);
  let after = 0;
  for (let count = SEAL_BATCH_ENTRIES; count === SEAL_BATCH_ENTRIES;) {
    const seals = await sealFound(trx, [chain], after);
    count = seals.length;
    after = seals.at(-1)?.entry_id ?? after;
  }
}

async function sealFound(trx: Trx, chains: number[], after: After): Promise<NewRow<'audit_seals'>[]> {
  const heads = new Map<number, { position: number; hash: string }>();
  const seals: NewRow<'audit_seals'>[] = [];
  for (const { id, chain, text } of await findUnsealed(trx, chains, after)) {
    const head = heads.get(chain) ?? (await findHead(trx, chain));
    const seal = { chain, position: head.position + 1, entry_id: id, previous_hash: head.hash };
    const hash = sealHash(head.hash, text);
    seals.push({ ...seal, hash });
    heads.set(chain, { position: seal.position, hash });
  }
  if (seals.length > 0) await trx.insertInto('audit_seals').values(seals).execute();
  return seals;
}

/** Finds entries in the order of their ids, but for those that were committed late. */
function findUnsealed(trx: Trx, chains: number[], after: After) {
  return trx
    .selectFrom('audit_entries')
    .select(['id', chainOf.as('chain'), sealedTextExpression.as('text')])
    .where('id', '>', after)
    .where(sql<boolean>`${chainOf} = any(${chains}::integer[])`)
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
  return head ?? { position: 0, hash: HASH_BEFORE_FIRST_ENTRY };
}
