import { type Kysely, sql } from 'kysely';

/** Who entered a flight after it had ended, when and why (docs/decisions/156). */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    alter table flight_logs
      add column entered_by integer,
      add column entered_at timestamptz(3),
      add column entry_reason text,
      add constraint flight_logs_school_id_entered_by_fkey
        foreign key (school_id, entered_by) references users (school_id, id),
      add constraint flight_logs_entered_with_reason check (
        (entered_by is null) = (entered_at is null) and (entered_by is null) = (entry_reason is null)),
      add constraint flight_logs_entry_reason_filled check (btrim(entry_reason) <> ''),
      add constraint flight_logs_entered_after_landing check (
        entered_at is null or (completed_at is not null and completed_at <= entered_at))`.execute(db);
}
