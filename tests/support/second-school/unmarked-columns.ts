import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import { MARKED_HOURS, MARKER } from './marker.ts';

/** Columns that cannot be marked: one of a few values, single figures, a hash, or of no school. */
const EXEMPT = (
  'schools.time_zone users.role users.password_hash invitations.role invitations.token_hash scans.meter_type ' +
  'scans.other_kind scans.figures meter_segments.meter_type meter_segments.reason squawks.state ' +
  'squawk_events.state flight_logs.instructor_time_in flight_logs.instructor_time_out ' +
  'flight_logs.ground_school_time flight_log_revisions.field idempotency_keys.scope drafts.form drafts.waits_for ' +
  'password_links.token_hash sessions.id sessions.former_id sessions.second_factor_setup login_attempts.key ' +
  'audit_entries.outcome second_factors.secret recovery_codes.code_hash passkeys.credential_id ' +
  'passkeys.public_key used_passkey_challenges.challenge access_tokens.scope imports.kind imports.requested ' +
  'imports.columns imports.formats imports.state access_tokens.token_hash access_tokens.request_id ' +
  'calendar_links.link_hash drafts.saved_by webhooks.secret webhooks.previous_secret webhook_deliveries.state ' +
  'jobs.kind backups.folder backups.file backups.copy_failure'
).split(' ');

/** The columns of text, JSON, bytes or readings in which no row has a mark, as 'table.column'. */
export async function unmarkedColumns(db: Db): Promise<string[]> {
  const columns = await sql<{ table: string; column: string; isBytes: boolean }>`
    select c.table_name as table, column_name as column, data_type = 'bytea' as "isBytes"
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE' and c.table_name not like 'kysely%'
        and (data_type in ('text', 'character varying', 'jsonb', 'bytea') or domain_name = 'reading')
      order by 1, 2`.execute(db);
  const unmarked: string[] = [];
  for (const { table, column, isBytes } of columns.rows) {
    const text = isBytes ? sql`encode(${sql.ref(column)}, 'escape')` : sql`${sql.ref(column)}::text`;
    const found = await sql`
      select 1 from ${sql.table(table)} where ${text} ilike ${`%${MARKER}%`} or ${text} like ${`%${MARKED_HOURS}.%`} limit 1`.execute(
      db,
    );
    if (found.rows.length === 0 && !EXEMPT.includes(`${table}.${column}`)) unmarked.push(`${table}.${column}`);
  }
  return unmarked;
}
