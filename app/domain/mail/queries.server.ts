import { sql, type UpdateObject } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import type { Database, Row } from '#db/tables.ts';
import {
  FIRST_MAIL_RETRY_SECONDS,
  MAIL_CLAIM_MINUTES,
  MAX_MAIL_ERROR_CHARACTERS,
  MAX_MAIL_RETRY_SECONDS,
  OLD_MAIL_KEPT_DAYS,
} from '#app/limits.ts';
import { ago, fromNow, now } from '../database-clock.server.ts';
import { type EmailContent, toHtml, toPlainText } from './email.server.ts';

export interface Recipient {
  name: string;
  address: string;
}

/** Takes the address of a link that was mailed; it is not called again when a request is repeated. */
export type OnLink = (url: string) => void;

/** Runs what mails a link, and returns the link beside the result; undefined if the request is a repeated one. */
export async function withLink<Result>(
  send: (onLink: OnLink) => Promise<Result>,
): Promise<{ result: Result; link: string | undefined }> {
  let link: string | undefined;
  const result = await send((url) => (link = url));
  return { result, link };
}

export type ClaimedMail = Row<'mail_outbox'>;

/** Queues a mail in the caller's transaction and returns its id; not sent after `sendUntil`. */
export async function queueMail(
  trx: Trx,
  schoolId: number,
  to: Recipient,
  letter: EmailContent,
  sendUntil: Date,
): Promise<number> {
  const { id } = await trx
    .insertInto('mail_outbox')
    .values({
      school_id: schoolId,
      to_name: to.name,
      to_address: to.address,
      subject: letter.subject,
      body_text: toPlainText(letter),
      body_html: toHtml(letter),
      send_until: sendUntil,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function deleteMail(trx: Trx, schoolId: number, mailId: number | null): Promise<void> {
  if (mailId === null) return;
  await trx.deleteFrom('mail_outbox').where('school_id', '=', schoolId).where('id', '=', mailId).execute();
}

/** Claims the mail due longest for two minutes, skipping rows locked by other workers; a crash only delays it. */
export function claimMail(db: Db): Promise<ClaimedMail | undefined> {
  return db
    .updateTable('mail_outbox')
    .set({ attempts: sql`attempts + 1`, next_attempt_at: fromNow(MAIL_CLAIM_MINUTES, 'minutes') })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('mail_outbox')
        .select('id')
        .where('sent_at', 'is', null)
        .where('refused_at', 'is', null)
        .where('next_attempt_at', '<=', now)
        .where('send_until', '>', now)
        .orderBy('next_attempt_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst();
}

/** Marks a mail as sent and clears the body, which contains a token. */
export async function markMailSent(db: Db, { id }: ClaimedMail, toFile: boolean): Promise<void> {
  await db
    .updateTable('mail_outbox')
    .set({ sent_at: now, written_to_file: toFile, last_error: null, body_text: '', body_html: '' })
    .where('id', '=', id)
    .execute();
}

export interface OutboxBacklog {
  waiting: number;
  oldestSeconds: number;
  /** Number of mails that were refused for good within the last hour. */
  refused: number;
}

/** Counts the mails that have neither left nor expired; those refused for good wait no longer. */
export async function findOutboxBacklog(db: Db): Promise<OutboxBacklog> {
  const waits = sql<boolean>`refused_at is null`;
  const { waiting, age, refused } = await db
    .selectFrom('mail_outbox')
    .select(({ fn }) => [
      fn.countAll<string>().filterWhere(waits).as('waiting'),
      sql<string | null>`extract(epoch from now() - min(created_at) filter (where ${waits}))`.as('age'),
      fn.countAll<string>().filterWhere('refused_at', '>', ago(1, 'hours')).as('refused'),
    ])
    .where('sent_at', 'is', null)
    .where('send_until', '>', now)
    .executeTakeFirstOrThrow();
  return { waiting: Number(waiting), oldestSeconds: Math.max(0, Number(age ?? 0)), refused: Number(refused) };
}

/** Plans a retry after 5 seconds, then twice as long each time, at most an hour. */
export function markMailFailed(db: Db, mail: ClaimedMail, error: string): Promise<void> {
  const pauseSeconds = Math.min(FIRST_MAIL_RETRY_SECONDS * 2 ** (mail.attempts - 1), MAX_MAIL_RETRY_SECONDS);
  return recordFailure(db, mail, error, { next_attempt_at: fromNow(pauseSeconds, 'seconds') });
}

/** Marks a mail that is never tried again, and clears its body. */
export function markMailRefused(db: Db, mail: ClaimedMail, error: string): Promise<void> {
  return recordFailure(db, mail, error, { refused_at: now, body_text: '', body_html: '' });
}

async function recordFailure(
  db: Db,
  { id, attempts }: ClaimedMail,
  error: string,
  outcome: UpdateObject<Database, 'mail_outbox'>,
): Promise<void> {
  await db
    .updateTable('mail_outbox')
    .set({ last_error: error.slice(0, MAX_MAIL_ERROR_CHARACTERS), ...outcome })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('sent_at', 'is', null)
    .execute();
}

/** Deletes mail that was sent or expired 30 days ago, unless an invitation or link refers to it. */
export async function deleteOldMail(db: Db): Promise<void> {
  await db
    .deleteFrom('mail_outbox')
    .where((eb) => eb.fn.coalesce('sent_at', 'send_until'), '<', ago(OLD_MAIL_KEPT_DAYS, 'days'))
    .where(({ and, exists, not, selectFrom }) => {
      const namedIn = (table: 'invitations' | 'password_links') =>
        exists(selectFrom(table).select('mail_id').whereRef(`${table}.mail_id`, '=', 'mail_outbox.id'));
      return and([not(namedIn('invitations')), not(namedIn('password_links'))]);
    })
    .execute();
}
