import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';

/** Lets this statement of PL/pgSQL meet the migrations of an empty database, after their first tables are made. */
export async function stopMigrations(db: Db, statement: string): Promise<void> {
  const meets = 'before insert on kysely_migration for each statement execute function stop_migration()';
  await sql`create table kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(
    db,
  );
  await sql
    .raw(
      `create function stop_migration() returns trigger language plpgsql as
    $$ begin ${statement}; return null; end $$`,
    )
    .execute(db);
  await sql.raw(`create trigger stop_migration ${meets}`).execute(db);
}
