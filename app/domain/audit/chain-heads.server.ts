import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Db, Trx } from '#db/connect.server.ts';
import { writeWholeFile } from '#db/whole-file.ts';
import { type ChainHead, FIRST_HASH } from './seal-entries.server.ts';

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

const headsSchema = z.array(z.object({ chain: z.number(), position: z.number(), hash: z.string() }));

/** The file beside the data that keeps the end of each chain where whoever has the database does not reach. */
export function headsFile(dataDir: string): string {
  return path.join(dataDir, 'activity-heads.json');
}

/** Reads the noted heads; none where nothing was noted yet. */
export async function readHeads(file: string): Promise<ChainHead[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]';
    throw error;
  });
  return headsSchema.parse(JSON.parse(text));
}

/**
 * Notes the new heads, each in place of the former one of its chain, unless that one is no longer in the database: then it
 * stays. Returns those that are gone.
 */
export async function noteHeads(db: Db, file: string, heads: ChainHead[]): Promise<ChainHead[]> {
  const noted = await readHeads(file);
  const chains = new Set(heads.map(({ chain }) => chain));
  const lost = await findLostHeads(
    db,
    noted.filter(({ chain }) => chains.has(chain)),
  );
  const isLost = (chain: number) => lost.some((head) => head.chain === chain);
  const kept = noted.filter(({ chain }) => !chains.has(chain) || isLost(chain));
  const replaced = heads.filter(({ chain }) => !isLost(chain));
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const text = JSON.stringify([...kept, ...replaced]);
  await writeWholeFile(file, (partial) => writeFile(partial, text, { mode: 0o600, flush: true }));
  return lost;
}

export async function forgetHeads(file: string): Promise<void> {
  await rm(file, { force: true });
}

/** Returns the heads that the database no longer has, and that no clean-up has removed. */
export async function findLostHeads(db: Db, heads: ChainHead[]): Promise<ChainHead[]> {
  const lost: ChainHead[] = [];
  for (const head of heads) if (!(await isThere(db, head))) lost.push(head);
  return lost;
}

async function isThere(db: Db, { chain, position, hash }: ChainHead): Promise<boolean> {
  const seal = await db
    .selectFrom('audit_seals')
    .select('hash')
    .where('chain', '=', chain)
    .where('position', '=', position)
    .executeTakeFirst();
  return seal ? seal.hash === hash : position <= (await findBeginning(db, chain)).position;
}
