import { sql } from 'kysely';
import type { Db } from '../connect.server.ts';
import type { Fault } from './find-faults.ts';
import { RULES } from './rules.ts';
import { comparedRowsSql, RECORDED_KINDS } from './rules/record.ts';

/** Mends what can be mended without asking anybody; returns the faults that it mended. */
export async function repair(db: Db, faults: Fault[]): Promise<Fault[]> {
  const mendable = faults.filter(({ rule }) => RULES[rule]?.repairs);
  for (const statement of mendable.flatMap(({ rule }) => RULES[rule]?.repairs ?? []))
    await sql.raw(statement).execute(db);
  return mendable;
}

/** Puts into the activity how rows stand that differ from it, so that they are right from now on; returns how many. */
export async function acceptDifferingRows(db: Db): Promise<number> {
  let accepted = 0;
  for (const kind of RECORDED_KINDS) {
    const { rows } = await sql<{ count: number }>`
      with differing as materialized (select * from (${sql.raw(comparedRowsSql(kind))}) as compared where differs),
        written as (
          insert into audit_entries (school_id, action, subject, after)
          select school_id, 'accepted rows', ${kind}, jsonb_object_agg(id, says) from differing group by school_id
        )
      select count(*)::integer as count from differing`.execute(db);
    accepted += rows[0]?.count ?? 0;
  }
  return accepted;
}
