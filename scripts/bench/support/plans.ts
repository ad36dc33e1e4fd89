import { sql } from 'kysely';
import pg from 'pg';
import type { BenchDatabase } from './bench-databases.ts';
import type { Statement } from './statement-recorder.ts';

/** Rows from which on a table is not to be read whole. */
const LARGE_TABLE_ROWS = 10_000;

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Temp Written Blocks': number;
  Plans?: PlanNode[];
}

/** What is wrong with how Postgres runs the statements: large tables read whole, work that goes to disk. */
export async function findPlanFaults({ url, db }: BenchDatabase, statements: Statement[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'r' and reltuples > ${LARGE_TABLE_ROWS}`.execute(db);
  const large = new Set(rows.map(({ name }) => name));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const faults: string[] = [];
    for (const statement of statements.filter(isRead))
      faults.push(...faultsOf(await explain(client, statement), large));
    return [...new Set(faults)];
  } finally {
    await client.end();
  }
}

export function faultsOf(root: PlanNode, largeTables: ReadonlySet<string>): string[] {
  const table = root['Relation Name'] ?? '';
  const own = root['Node Type'] === 'Seq Scan' && largeTables.has(table) ? [`reads ${table} whole`] : [];
  const written = root['Temp Written Blocks'] > 0 ? ['writes temporary blocks'] : [];
  return [...own, ...written, ...(root.Plans ?? []).flatMap((node) => faultsOf(node, largeTables))];
}

function isRead({ text }: Statement): boolean {
  return (
    /^\s*(select|with)\b/i.test(text) && !/\b(insert into|update|delete from)\b|\bfor (update|share)\b/i.test(text)
  );
}

async function explain(client: pg.Client, { text, values }: Statement): Promise<PlanNode> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (analyze, buffers, format json) ${text}`,
    values,
  );
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  if (!plan) throw new Error(`Postgres explains nothing of ${text}`);
  return plan;
}
