import { sql } from 'kysely';
import type { Db } from '../connect.server.ts';
import type { Fault } from './find-faults.ts';
import { RULES } from './rules.ts';

/** Mends what can be mended without asking anybody; returns the faults that it mended. */
export async function repair(db: Db, faults: Fault[]): Promise<Fault[]> {
  const mendable = faults.filter(({ rule }) => RULES[rule]?.repairs);
  for (const statement of mendable.flatMap(({ rule }) => RULES[rule]?.repairs ?? []))
    await sql.raw(statement).execute(db);
  return mendable;
}
