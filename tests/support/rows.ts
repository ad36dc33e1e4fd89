import { type InsertObject, sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import type { Database, NewRow } from '#db/tables.ts';

type Table = keyof Database;
/** What is to be otherwise than usual in a row. */
export type Columns<T extends Table> = Partial<NewRow<T>>;

/** Stores these rows as they are. */
export async function insert<T extends Table>(db: Db, table: T, ...rows: InsertObject<Database, T>[]): Promise<void> {
  await db.insertInto(table).values(rows).execute();
}

/** Stores a row as it is; its id. */
export async function insertRow<T extends Table>(db: Db, table: T, row: InsertObject<Database, T>): Promise<number> {
  const { rows } = await sql<{ id: number }>`${db.insertInto(table).values(row)} returning id`.execute(db);
  return rows[0]?.id ?? 0;
}
