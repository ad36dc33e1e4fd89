import { type Kysely, sql } from 'kysely';

/** Scans say whether a meter can show the reading and which one was saved; schools, whether they give their counters. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    alter table scans add column is_impossible boolean not null default false, add column saved_reading reading;
    alter table schools add column gives_meter_photos boolean not null default false`.execute(db);
}
