import { sql } from 'kysely';
import type { Db } from '../connect.server.ts';
import type { Fault } from './find-faults.ts';

const DELETED = 'select id from users where deleted_at is not null';

/** What can be mended without asking anybody, because no record of the school is lost by it. */
const REPAIRS: Record<string, string[]> = {
  doctor_sessions_of_the_deleted: [
    `update sessions set revoked_at = now() where revoked_at is null and user_id in (${DELETED})`,
  ],
  doctor_sessions_past_their_end: [
    'update sessions set revoked_at = now() where revoked_at is null and expires_at > ends_at',
  ],
  doctor_remains_of_the_deleted: [
    'update users set password_hash = null where deleted_at is not null',
    ...[
      'second_factors',
      'recovery_codes',
      'passkeys',
      'access_tokens',
      'calendar_links',
      'password_links',
      'drafts',
    ].map((table) => `delete from ${table} where user_id in (${DELETED})`),
  ],
  doctor_sent_mails_with_content: [`update mail_outbox set body_text = '', body_html = '' where sent_at is not null`],
  doctor_requests_without_response: ['delete from idempotency_keys where response is null'],
};

/** Mends what can be; returns the faults that it mended. */
export async function repair(db: Db, faults: Fault[]): Promise<Fault[]> {
  const mendable = faults.filter(({ view }) => REPAIRS[view]);
  for (const statement of mendable.flatMap(({ view }) => REPAIRS[view] ?? [])) await sql.raw(statement).execute(db);
  return mendable;
}
