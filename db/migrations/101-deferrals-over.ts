import { type Kysely, sql } from 'kysely';

/** Deferrals that have run out, as what is overdue: mailed once, and kept with the flight (docs/decisions/096). */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`alter table squawks add column deferral_over_mailed_at timestamptz`.execute(db);
  await sql`
    alter table flight_logs
      add column deferrals_over_at_start jsonb not null default '[]' constraint flight_logs_deferrals_over_at_start_is_a_list
        check (jsonb_typeof(deferrals_over_at_start) = 'array')`.execute(db);
}
