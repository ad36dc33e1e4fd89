import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';

/** What a request may write however it is answered. */
const UNWATCHED = ['sessions', 'drafts', 'login_attempts', 'audit_seals'];

/** Events, and the mail about them, that are recorded beside a request. */
const BESIDE_REQUESTS = sql.raw(`
  row_of ->> 'subject' = 'request' or row_of ->> 'subject' like 'Requests of %' or row_of ->> 'action' in
    ('signed in', 'signed out', 'failed to sign in', 'locked out', 'alerted administrators')
  or tg_table_name = 'jobs' and exists (select from mail_outbox
    where row_of ->> 'kind' = 'mail' and id = (row_of ->> 'subject_id')::integer and subject like 'Requests of %')`);

/**
 * Watches what is committed to this database: each call gives the tables that changed since the one before, by name.
 * Triggers write it down, in a schema of the test's own; sessions, drafts, sign-in attempts and events that are
 * recorded beside a request are left out.
 */
export async function watchChanges(db: Db): Promise<() => Promise<string[]>> {
  await sql`create schema if not exists watch`.execute(db);
  await sql`create unlogged table if not exists watch.changes (table_name text not null)`.execute(db);
  // The app connects as another role, which does not write here.
  await sql`
    create or replace function watch.note_change() returns trigger language plpgsql security definer as $$
      declare row_of jsonb := to_jsonb(coalesce(new, old));
      begin
        if not coalesce(${BESIDE_REQUESTS}, false) then insert into watch.changes values (tg_table_name); end if;
        return null;
      end $$`.execute(db);
  for (const table of await watchedTables(db)) {
    await sql`create or replace trigger note_rows after insert or delete on ${sql.table(table)}
      for each row execute function watch.note_change()`.execute(db);
    await sql`create or replace trigger note_updates after update on ${sql.table(table)}
      for each row when (old.* is distinct from new.*) execute function watch.note_change()`.execute(db);
  }
  return async () => {
    const noted = await sql<{ name: string }>`
      with noted as (delete from watch.changes returning table_name)
      select distinct table_name as name from noted order by 1`.execute(db);
    return noted.rows.map(({ name }) => name);
  };
}

async function watchedTables(db: Db): Promise<string[]> {
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'`.execute(db);
  return tables.rows.map(({ name }) => name).filter((name) => !UNWATCHED.includes(name));
}
