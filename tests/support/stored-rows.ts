import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';

/** Of each database once: the question takes as long as the rows. */
const tablesOf = new WeakMap<Db, string[]>();

/** Every row of every table, as JSON text by table. */
export async function storedRows(db: Db): Promise<Record<string, string[]>> {
  const names = tablesOf.get(db) ?? (await tableNames(db));
  tablesOf.set(db, names);
  // One statement for all tables: a round trip for each would take most of the time.
  const selects = names.map(
    (name) => sql`select ${sql.lit(name)} as name, to_jsonb(stored)::text as row from ${sql.table(name)} as stored`,
  );
  const { rows } = await sql<{ name: string; row: string }>`
    ${sql.join(selects, sql` union all `)} order by 1, 2`.execute(db);
  const stored: Record<string, string[]> = Object.fromEntries(names.map((name) => [name, []]));
  for (const { name, row } of rows) stored[name]?.push(row);
  return stored;
}

async function tableNames(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'`.execute(db);
  return rows.map(({ name }) => name);
}
