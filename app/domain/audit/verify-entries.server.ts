import { sql } from 'kysely';
import { sealedTextExpression } from '#db/activity-chain.ts';
import type { Db } from '#db/connect.server.ts';
import { CURSOR_BATCH_ROWS } from '#app/limits.ts';
import { hashEmail } from './insert-entry.server.ts';
import { findBeginning } from './chain-heads.server.ts';
import { type ChainHead, sealHash } from './seal-entries.server.ts';

export interface VerifiedChain {
  schoolId: number | null;
  entries: number;
  /** The newest seal, to compare with one noted elsewhere. */
  head: { position: number; hash: string } | undefined;
  notYetSealed: number;
  /** The first entry that is not what it was when it was sealed. */
  broken?: { entryId: number; problem: string };
}

/**
 * Proves the chain of each school from its first entry, or from where the last clean-up left it, up to what was noted
 * outside of the database.
 */
export async function verifyEntries(db: Db, noted: ChainHead[] = []): Promise<VerifiedChain[]> {
  const { rows } = await sql<{ chain: number }>`
    select chain from audit_seals union select coalesce(school_id, 0) from audit_entries order by 1`.execute(db);
  const numbers = new Set([...rows, ...noted].map(({ chain }) => chain));
  const chains: VerifiedChain[] = [];
  for (const chain of numbers) {
    const heads = noted.filter((head) => head.chain === chain);
    chains.push(await verifyChain(db, chain, heads));
  }
  return chains;
}

export async function verifyChain(db: Db, chain: number, noted: ChainHead[] = []): Promise<VerifiedChain> {
  const result: VerifiedChain = {
    schoolId: chain === 0 ? null : chain,
    entries: 0,
    head: undefined,
    notYetSealed: await countUnsealed(db, chain),
  };
  const isRemoved = await isOfRemovedSchool(db, chain);
  let previous = await findBeginning(db, chain);
  let lastId = 0;
  for await (const seal of sealsQuery(db, chain).stream(CURSOR_BATCH_ROWS)) {
    // The first hash of a removed school is not proven: the event that says what was before it is gone.
    if (isRemoved && result.entries === 0) previous = { position: seal.position - 1, hash: seal.previous_hash };
    const isNoted = noted.every(({ position, hash }) => position !== seal.position || hash === seal.hash);
    const problem = problemOf(seal, previous, isRemoved) ?? (isNoted ? undefined : 'it is not the one that was noted');
    if (problem) return { ...result, broken: { entryId: seal.entry_id, problem } };
    previous = { position: seal.position, hash: seal.hash };
    lastId = seal.entry_id;
    result.entries += 1;
    result.head = previous;
  }
  const end = Math.max(0, ...noted.map(({ position }) => position));
  const problem = `the entries after it are missing, up to position ${end}, which was noted`;
  return end > previous.position ? { ...result, broken: { entryId: lastId, problem } } : result;
}

/** Tells a removed school's chain, of which only the hashes stay: nobody is left in it, whatever a mark of its removal says. */
async function isOfRemovedSchool(db: Db, chain: number): Promise<boolean> {
  const row = await db
    .selectFrom('removed_schools')
    .select('school_id')
    .where('school_id', '=', chain)
    .where(sql<boolean>`not has_users(school_id)`)
    .executeTakeFirst();
  return row !== undefined;
}

type Seal = Awaited<ReturnType<ReturnType<typeof sealsQuery>['execute']>>[number];

function problemOf(seal: Seal, previous: { position: number; hash: string }, isRemoved: boolean): string | undefined {
  if (seal.position !== previous.position + 1 || seal.previous_hash !== previous.hash)
    return 'entries before it are missing';
  if (seal.text === null) return isRemoved ? undefined : 'it was deleted';
  if (sealHash(seal.previous_hash, seal.text) !== seal.hash) return 'it was changed';
  const { email, salt } = seal;
  if (seal.email_digest !== null && email === null && !isRemoved && !seal.may_lack_email)
    return 'its email was deleted';
  if (email !== null && salt !== null && hashEmail(salt, email) !== seal.email_digest) return 'its email was changed';
  return undefined;
}

function sealsQuery(db: Db, chain: number) {
  return db
    .selectFrom('audit_seals')
    .leftJoin('audit_entries', 'audit_entries.id', 'audit_seals.entry_id')
    .leftJoin('audit_emails', 'audit_emails.entry_id', 'audit_seals.entry_id')
    .select(['position', 'audit_seals.entry_id', 'previous_hash', 'hash', 'email_digest', 'email', 'salt'])
    .select(sql<string | null>`case when audit_entries.id is not null then ${sealedTextExpression} end`.as('text'))
    .select(mayLackEmail.as('may_lack_email'))
    .where('chain', '=', chain)
    .orderBy('position');
}

/** The addresses of a deleted user are removed from all that was written before (`removeDeletedEmails`). */
const mayLackEmail = sql<boolean>`exists (select from users
  where users.school_id is not distinct from audit_entries.school_id and users.email = ''
    and users.deleted_at + interval '1 millisecond' >= audit_entries.created_at)`;

async function countUnsealed(db: Db, chain: number): Promise<number> {
  const { rows } = await sql<{ unsealed: number }>`
    select count(*)::integer as unsealed from audit_entries where coalesce(school_id, 0) = ${chain}
      and not exists (select from audit_seals where entry_id = audit_entries.id)`.execute(db);
  return rows[0]?.unsealed ?? 0;
}
