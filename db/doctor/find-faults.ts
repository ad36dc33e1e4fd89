import { sql } from 'kysely';
import type { Db } from '../connect.server.ts';
import { RULES } from './rules.ts';
import type { Rule } from './rules/rule.ts';

/** Number of rows that are named, enough to know what has happened; the total says how many there are. */
const NAMED_ROWS = 5;

export interface Fault extends Pick<Rule, 'fault' | 'mend'> {
  rule: string;
  rows: number;
  /** The first broken rows, each in a phrase. */
  named: string[];
}

interface FoundRow {
  school_id: number | null;
  subject: string;
  detail: string;
  total: string;
}

/** Gives a transaction memory to sort every row, and compiles no plan, which takes longer than it saves. */
export async function tuneTransactionForFullScan(trx: Db): Promise<void> {
  await sql`select set_config('work_mem', '64MB', true), set_config('jit', 'off', true)`.execute(trx);
}

/** Returns the broken rules in the order of RULES; none in a sound database. */
export function findFaults(db: Db, { isRunning = true }: { isRunning?: boolean } = {}): Promise<Fault[]> {
  return askRules((ask) => ask(db), isRunning);
}

/** Returns the broken rules as `findFaults` does, all of one moment: two transactions share its snapshot and the rules. */
export function findFaultsOfOneMoment(db: Db): Promise<Fault[]> {
  const begin = () => db.transaction().setIsolationLevel('repeatable read');
  return askRules((ask) =>
    begin().execute(async (trx) => {
      const { rows } = await sql<{ id: string }>`select pg_export_snapshot() as id`.execute(trx);
      const askWithin = async (other: Db) => {
        await sql`set transaction snapshot ${sql.lit(rows[0]?.id)}`.execute(other);
        await ask(other);
      };
      await Promise.all([begin().execute(askWithin), ask(trx)]);
    }),
  );
}

async function askRules(work: (ask: (db: Db) => Promise<void>) => Promise<void>, isRunning = true): Promise<Fault[]> {
  const faults: (Fault | undefined)[] = [];
  const rules = Object.entries(RULES).filter(([, rule]) => isRunning || !rule.needsRunningProduct);
  const left = rules.entries();
  await work(async (db) => {
    await tuneTransactionForFullScan(db);
    for (const [place, [name, rule]] of left) faults[place] = await findFault(db, name, rule);
  });
  return faults.filter((fault) => fault !== undefined);
}

/** Returns what breaks one rule; undefined if nothing does. */
export async function findFault(db: Db, name: string, { query, fault, mend }: Rule): Promise<Fault | undefined> {
  const { rows } = await sql<FoundRow>`
    select *, count(*) over () as total from (${sql.raw(query)}) as broken
    where school_id is null or school_id not in (select school_id from removed_schools where ended_at is null
      and not has_users(school_id))
    limit ${NAMED_ROWS}`.execute(db);
  const total = Number(rows[0]?.total ?? 0);
  return total === 0 ? undefined : { rule: name, fault, mend, rows: total, named: rows.map(phraseOf) };
}

function phraseOf({ school_id, subject, detail }: FoundRow): string {
  return `${subject}${school_id === null ? '' : ` of school ${school_id}`}: ${detail}`;
}
