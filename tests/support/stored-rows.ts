import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';

/** Every row of every table, as JSON text by table. */
export async function storedRows(db: Db): Promise<Record<string, string[]>> {
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'`.execute(db);
  const stored: Record<string, string[]> = {};
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(stored)::text as row from ${sql.table(name)} as stored order by 1`.execute(db);
    stored[name] = rows.map(({ row }) => row);
  }
  return stored;
}
