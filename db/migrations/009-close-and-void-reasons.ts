import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    alter table flight_logs
      add constraint flight_logs_closed_with_reason check (
        coalesce(completed_by <> user_id, false) = (close_reason is not null)),
      add constraint flight_logs_reasons_filled check (btrim(close_reason) <> '' and btrim(void_reason) <> '')`.execute(
    db,
  );
}
