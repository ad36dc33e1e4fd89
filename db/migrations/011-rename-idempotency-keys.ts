import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<any>): Promise<void> {
  await sql`alter table given_answers rename to idempotency_keys`.execute(db);
  await sql`alter table idempotency_keys rename column body_hash to request_hash`.execute(db);
  await sql`alter table idempotency_keys rename column answer to response`.execute(db);
  await sql`alter table idempotency_keys rename constraint given_answers_pkey to idempotency_keys_pkey`.execute(db);
  await sql`alter index given_answers_oldest rename to idempotency_keys_oldest`.execute(db);

  await sql`alter table aircraft rename constraint aircraft_tail_number_tidy to aircraft_tail_number_normalized`.execute(
    db,
  );
  await sql`alter table flight_logs
    rename constraint flight_logs_ground_school_time_offered to flight_logs_ground_school_time_known`.execute(db);
  await sql`alter table scans rename constraint scans_digits_counted to scans_digits_positive`.execute(db);
  await sql`alter table invitations
    rename constraint invitations_accepted_by_somebody to invitations_accepted_with_user`.execute(db);
}
