import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { inTransaction } from '#db/transaction.ts';
import { REMOVAL_BATCH_ROWS } from '#app/limits.ts';
import { sealRestOfChain } from '../audit/seal-entries.server.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { now } from '../database-clock.server.ts';
import { deleteLoginAttemptsOf } from '../people/operator-passwords.server.ts';
import { lockSchool } from './queries.server.ts';

/** Removes schools whose time is up, and goes on with those that a stopped process has left; ends early when `stopping`. */
export async function removeDueSchools(db: Db, stopping?: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  for (const schoolId of await findDue(db)) {
    try {
      for await (const _ of removeSchool(db, schoolId)) if (stopping?.aborted) return;
    } catch (error) {
      // The failure waits, because other schools are not to wait for this one.
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'a school could not be removed');
}

async function findDue(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from schools where removal_due_at <= now()
    union select school_id from removed_schools where ended_at is null order by 1`.execute(db);
  return rows.map(({ id }) => id);
}

/** Step by step, each a transaction of its own, so that no lock is kept for long (docs/decisions/149). */
export async function* removeSchool(db: Db, schoolId: number): AsyncGenerator<void, void> {
  if (!(await inTransaction(db, (trx) => begin(trx, schoolId)))) return;
  yield;
  for (const table of TABLES) {
    while (await removeSlice(db, table, schoolId)) yield;
  }
  await inTransaction(db, (trx) => sealRestOfChain(trx, schoolId));
  while (await removeSealedEvents(db, schoolId)) yield;
  while (await inTransaction(db, (trx) => removePeople(trx, schoolId))) yield;
  await inTransaction(db, (trx) => end(trx, schoolId));
}

/** Tables in an order in which no row refers to one of a table before its own. */
const TABLES = [
  'webhook_deliveries',
  'webhooks',
  'import_rows',
  'imports',
  'invitations',
  'scans',
  'inspection_completions',
  'inspections',
  'squawk_photos',
  'squawk_events',
  'squawks',
  'meter_segments',
  'flight_log_revisions',
  'fuel_records',
  'flight_logs',
  'removed_flights',
  'photos',
  'aircraft',
  'mail_outbox',
] as const;

/** Begins the removal or goes on with it: nobody of the school, nor invited to it, is let in. False if it was called off. */
async function begin(trx: Trx, schoolId: number): Promise<boolean> {
  await lockSchool(trx, schoolId);
  const begun = await sql`
    insert into removed_schools (school_id) select id from schools where id = ${schoolId} and removal_due_at <= now()
    on conflict do nothing`.execute(trx);
  const isFirst = begun.numAffectedRows !== 0n;
  if (!isFirst && !(await isUnderWay(trx, schoolId))) return false;
  await trx
    .updateTable('users')
    .set({ deleted_at: now, password_hash: null })
    .where('school_id', '=', schoolId)
    .where('deleted_at', 'is', null)
    .execute();
  const ids = trx.selectFrom('users').select('id').where('school_id', '=', schoolId);
  for (const table of SIGN_INS) await trx.deleteFrom(table).where('user_id', 'in', ids).execute();
  const invitations = sql`select 'invitation:' || id from invitations where school_id = ${schoolId}`;
  await sql`delete from idempotency_keys where scope in (${invitations})`.execute(trx);
  await trx.deleteFrom('invitations').where('school_id', '=', schoolId).where('accepted_at', 'is', null).execute();
  const entry = { action: 'removed school', subject: 'school', subjectId: schoolId } as const;
  if (isFirst) await writeAuditEntry(trx, { id: null, schoolId: null }, entry);
  return true;
}

const SIGN_INS = [
  'sessions',
  'access_tokens',
  'calendar_links',
  'passkeys',
  'recovery_codes',
  'second_factors',
  'password_links',
  'drafts',
] as const;

async function isUnderWay(trx: Trx, schoolId: number): Promise<boolean> {
  const row = await trx
    .selectFrom('removed_schools')
    .select('school_id')
    .where('school_id', '=', schoolId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

async function removeSlice(db: Db, table: (typeof TABLES)[number], schoolId: number): Promise<boolean> {
  const key = sql.id(table === 'squawk_photos' ? 'squawk_id' : 'id');
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where school_id = ${schoolId} and ${key} in (
      select ${key} from ${sql.table(table)} where school_id = ${schoolId} limit ${REMOVAL_BATCH_ROWS})`.execute(db);
  return numAffectedRows > 0n;
}

async function removeSealedEvents(db: Db, schoolId: number): Promise<boolean> {
  const { rows } = await sql<{ removed: number }>`
    select remove_activity_of(${schoolId}, ${REMOVAL_BATCH_ROWS}) as removed`.execute(db);
  return rows[0]?.removed !== 0;
}

/** Removes people with what is kept by name or number. False once there are none. */
async function removePeople(trx: Trx, schoolId: number): Promise<boolean> {
  const people = await trx
    .selectFrom('users')
    .select(['id', 'username', 'username_key'])
    .where('school_id', '=', schoolId)
    .limit(REMOVAL_BATCH_ROWS)
    .execute();
  if (people.length === 0) return false;
  const ids = people.map(({ id }) => id);
  const names = people.map(({ username_key }) => username_key);
  for (const person of people) await deleteLoginAttemptsOf(trx, person);
  await trx.deleteFrom('password_link_requests').where('username_key', 'in', names).execute();
  const scopes = ids.map((id) => `user:${id}`);
  await trx.deleteFrom('idempotency_keys').where('scope', 'in', scopes).execute();
  // These are of the time before they had a school.
  await sql`
    delete from audit_emails using audit_entries
    where entry_id = id and school_id is null and (user_id = any(${ids}::integer[])
      or (subject = 'user' and subject_id = any(${ids}::integer[])))`.execute(trx);
  await trx.deleteFrom('users').where('id', 'in', ids).execute();
  return true;
}

async function end(trx: Trx, schoolId: number): Promise<void> {
  await trx.deleteFrom('schools').where('id', '=', schoolId).execute();
  await trx.updateTable('removed_schools').set({ ended_at: now }).where('school_id', '=', schoolId).execute();
}
