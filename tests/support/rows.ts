import type { InsertObject } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import type { Database } from '#db/tables.ts';

type Table = keyof Database;

/** Stores these rows as they are. */
export async function insert<T extends Table>(db: Db, table: T, ...rows: InsertObject<Database, T>[]): Promise<void> {
  await db.insertInto(table).values(rows).execute();
}
