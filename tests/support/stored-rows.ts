import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';

/** Every row of every table, as JSON text by table. */
export async function storedRows(db: Db): Promise<Record<string, string[]>> {
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'`.execute(db);
  const names = tables.rows.map(({ name }) => name);
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
