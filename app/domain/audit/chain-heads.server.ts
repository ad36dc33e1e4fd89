import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { z } from 'zod';
import { chainBeginningsQuery } from '#db/activity-chain.ts';
import type { Db, Trx } from '#db/connect.server.ts';
import { writePrivateFile } from '#db/whole-file.ts';
import { type ChainHead, HASH_BEFORE_FIRST_ENTRY } from './seal-entries.server.ts';

export async function findBeginning(db: Db | Trx, chain: number): Promise<{ position: number; hash: string }> {
  const { rows } = await sql<{ position: string | null; hash: string | null }>`
    select position, hash from (${chainBeginningsQuery}) as beginnings where chain = ${chain}`.execute(db);
  const [last] = rows;
  return { position: Number(last?.position ?? 0), hash: last?.hash ?? HASH_BEFORE_FIRST_ENTRY };
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
  await writePrivateFile(file, JSON.stringify([...kept, ...replaced]));
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
