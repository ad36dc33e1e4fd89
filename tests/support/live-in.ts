import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';

/** Writes a row or two into every table of the release before this one, in its words. */
export async function liveIn(db: Db): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

/** Every row of every table, in the order of its text. */
export async function everyRow(db: Db): Promise<Record<string, unknown[]>> {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%' order by 1`.execute(
    db,
  );
  const found: Record<string, unknown[]> = {};
  for (const { name } of tables)
    found[name] = (
      await sql`select * from ${sql.table(name)} as rows ${kept(name)} order by rows::text`.execute(db)
    ).rows;
  return found;
}

/** An upgrade adds events of these to those that were there. */
function kept(table: string) {
  return table === 'audit_entries' ? sql`where action <> 'recorded rows'` : sql``;
}

/** The same after an upgrade: what waits has its time in `jobs`, and none that the release before would take. */
export function upgraded(rows: Record<string, unknown[]>): Record<string, unknown[]> {
  const retired = ['mail_outbox', 'webhook_deliveries'].map((table) => [
    table,
    rows[table]?.map((row) => ({ ...Object(row), next_attempt_at: new Date('9999-01-01') })),
  ]);
  return { ...rows, ...Object.fromEntries(retired) };
}

const STATEMENTS = [
  `insert into schools (name, address, phone) values ('Cascade Flight School', '1 Field Road', '555 0100')`,
  `insert into users (school_id, username, username_key, email, password_hash, role) values
    (1, 'Anna', 'anna', 'anna@school.example', 'x', 'student'),
    (1, 'zoe', 'zoe', 'zoe@school.example', 'x', 'administrator')`,
  `insert into passkeys (user_id, name, credential_id, public_key, counter) values (1, 'Phone', 'c', 'key', 3)`,
  `insert into sessions (id, user_id, passkey_id, expires_at, ends_at) values ('x', 1, 1, now(), now())`,
  `insert into second_factors (user_id, secret, last_step) values (1, 's', 7)`,
  `insert into recovery_codes (user_id, code_hash) values (1, 'h')`,
  `insert into used_passkey_challenges (challenge, expires_at) values ('c', now())`,
  `insert into access_tokens (user_id, name, scope, token_hash, expires_at)
    values (1, 'Script', 'read', 'h', now() + interval '1 day')`,
  `insert into login_attempts (key, failures, expires_at) values ('anna', 3, now())`,
  `insert into password_link_requests (username_key) values ('anna')`,
  `insert into drafts (user_id, form, body) values (1, '/account#name', '{"startHobbs": "1234.50"}')`,
  `insert into idempotency_keys (scope, key, operation, request_hash, response)
    values ('user:1', 'k1', 'add aircraft', 'x', '{"id": 7}')`,
  `insert into aircraft (school_id, tail_number, make, model, year, last_hobbs, last_hobbs_by)
    values (1, 'N512FL', 'Cessna', '172S', 2004, '1234.50', 1)`,
  `insert into calendar_links (school_id, user_id, aircraft_id, link_hash) values (1, 1, 1, 'h')`,
  `insert into photos (school_id, user_id, content, width, height) values (1, 1, 'jpeg', 800, 600)`,
  `insert into flight_logs (school_id, aircraft_id, user_id, start_hobbs, start_tach, end_hobbs, end_tach, completed_at,
    completed_by, notes, end_hobbs_photo_id, reading_flags)
    values (1, 1, 1, '1233.0', '1000', '1234.50', '1001', now(), 1, 'Left brake soft.', 1, '[{"meter": "hobbs"}]')`,
  `insert into flight_logs (school_id, aircraft_id, user_id, start_hobbs, start_tach, voided_at, voided_by, void_reason)
    values (1, 1, 1, '1234.5', '1001', now(), 2, 'Fog'), (1, 1, 1, '1234.5', '1001', now(), 2, 'Twice')`,
  `insert into flight_logs (school_id, aircraft_id, user_id, start_hobbs, start_tach) values (1, 1, 1, '1234.5', '1001')`,
  `insert into fuel_records (school_id, flight_log_id, refueled, receipt_photo_id) values (1, 1, true, 1)`,
  `insert into flight_log_revisions (school_id, flight_log_id, user_id, field, old_value, new_value, reason)
    values (1, 1, 2, 'end_hobbs', '1234.4', '1234.50', 'Misread')`,
  `delete from flight_logs where void_reason = 'Twice'`,
  `insert into scans (school_id, aircraft_id, user_id, photo_id, meter_type, detected_text, confidence)
    values (1, 1, 1, 1, 'hobbs', '1234.5', '0.91')`,
  `insert into squawks (school_id, aircraft_id, user_id, text) values (1, 1, 1, 'Tire worn')`,
  `insert into squawk_events (school_id, squawk_id, user_id, state) values (1, 1, 1, 'open')`,
  `insert into squawk_photos (school_id, squawk_id, photo_id) values (1, 1, 1)`,
  `insert into inspections (school_id, aircraft_id, name, due_hobbs) values (1, 1, '100 hours', '1300')`,
  `insert into inspection_completions (school_id, inspection_id, user_id, done_at, done_on)
    values (1, 1, 2, '1200', '2026-01-02')`,
  `insert into mail_outbox (school_id, to_name, to_address, subject, body_text, body_html)
    values (1, 'Ben', 'ben@school.example', 'Welcome', 'Hello', '<p>Hello</p>')`,
  `insert into invitations (school_id, name, email, role, token_hash, invited_by, mail_id, expires_at)
    values (1, 'Ben', 'ben@school.example', 'student', 'hash', 2, 1, now())`,
  `insert into password_links (school_id, user_id, token_hash, expires_at) values (1, 1, 'h', now())`,
  `insert into audit_entries (school_id, user_id, action, subject) values (1, 2, 'signed in', 'user')`,
  `insert into audit_emails (entry_id, email, salt) values (1, 'zoe@school.example', 's')`,
  `insert into audit_seals (chain, position, entry_id, previous_hash, hash) values (1, 1, 1, '', 'h')`,
  `insert into imports (school_id, user_id, kind, file_name, file_hash, content, columns, formats, preview)
    values (1, 2, 'fleet', 'fleet.csv', 'h', 'x', '[]', '{}', '{}')`,
  `insert into import_progress (school_id, import_id) values (1, 1)`,
  `insert into import_rows (school_id, import_id, row_number, aircraft_id) values (1, 1, 1, 1)`,
  `insert into webhooks (school_id, url, events, secret) values (1, 'https://club.example', array['flight.started'], 's')`,
  `insert into webhook_deliveries (school_id, webhook_id, event, data, in_order) values (1, 1, 'flight.started', '{}', false)`,
  `insert into removed_schools (school_id) values (4711)`,
];
