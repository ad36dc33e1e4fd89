import { sql } from 'kysely';
import { afterAll, vi } from 'vitest';
import type { Db } from '#db/connect.server.ts';

/** Stops the clock of this process until the file's end and, for connections opened from now on, that of the database. */
export async function freezeClock(db: Db, at: string): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(at) });
  afterAll(() => void vi.useRealTimers());
  await sql`create schema clock; grant usage on schema clock to public`.execute(db);
  await sql`
    create function clock.now() returns timestamptz language sql stable
    as ${sql.raw(`'select timestamptz ''${at}'''`)}`.execute(db);
  await sql`
    do $$
    declare
      stored record;
    begin
      for stored in
        select table_name as "table", column_name as "column" from information_schema.columns
        where table_schema = 'public' and column_default like '%now()%' and is_generated = 'NEVER'
      loop
        execute format('alter table public.%I alter column %I set default clock.now()', stored."table", stored."column");
      end loop;
      execute format('alter database %I set search_path = clock, public, pg_catalog', current_database());
    end $$`.execute(db);
}
