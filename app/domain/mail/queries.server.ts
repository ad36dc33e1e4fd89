import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import type { Row } from '#db/tables.ts';
import {
  FIRST_MAIL_RETRY_SECONDS,
  MAIL_CLAIM_MINUTES,
  MAX_MAIL_ERROR_CHARACTERS,
  MAX_MAIL_RETRY_SECONDS,
  OLD_MAIL_KEPT_DAYS,
} from '#app/limits.ts';
import { ago, fromNow, now } from '../database-clock.server.ts';
import { type Email, toHtml, toText } from './email.server.ts';

export interface Recipient {
  name: string;
  /** One mail address that has been checked to be one. */
  address: string;
}

/** A mail that a worker has in hand. */
export type ClaimedMail = Row<'mail_outbox'>;

/**
 * Puts a letter into the outbox, in the transaction of what it tells of (C23); its id. It leaves once that has
 * committed, and not after `sendUntil`.
 */
export async function queueMail(
  trx: Trx,
  schoolId: number,
  to: Recipient,
  letter: Email,
  sendUntil: Date,
): Promise<number> {
  const { id } = await trx
    .insertInto('mail_outbox')
    .values({
      school_id: schoolId,
      to_name: to.name,
      to_address: to.address,
      subject: letter.subject,
      body_text: toText(letter),
      body_html: toHtml(letter),
      send_until: sendUntil,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Drops a mail that nothing points at any more; unsent, it never leaves. */
export async function deleteMail(trx: Trx, schoolId: number, mailId: number | null): Promise<void> {
  if (mailId === null) return;
  await trx.deleteFrom('mail_outbox').where('school_id', '=', schoolId).where('id', '=', mailId).execute();
}

/**
 * Takes the mail that has been due longest, of any school, from all other workers: they pass over what one is just
 * taking, and then it is not due for two minutes, which is longer than sending takes. So a worker that dies delays
 * a mail and loses none.
 */
export function claimMail(db: Db): Promise<ClaimedMail | undefined> {
  return db
    .updateTable('mail_outbox')
    .set({ attempts: sql`attempts + 1`, next_attempt_at: fromNow(MAIL_CLAIM_MINUTES, 'minutes') })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('mail_outbox')
        .select('id')
        .where('sent_at', 'is', null)
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

/** Notes that the mail server has taken the mail, and forgets what it said: that holds a token. */
export async function markMailSent(db: Db, { id }: ClaimedMail): Promise<void> {
  await db
    .updateTable('mail_outbox')
    .set({ sent_at: now, last_error: null, body_text: '', body_html: '' })
    .where('id', '=', id)
    .execute();
}

/** Notes a failure: tried again after 5 seconds, then twice as long each time, an hour at most. */
export async function markMailFailed(db: Db, { id, attempts }: ClaimedMail, error: string): Promise<void> {
  const pauseSeconds = Math.min(FIRST_MAIL_RETRY_SECONDS * 2 ** (attempts - 1), MAX_MAIL_RETRY_SECONDS);
  await db
    .updateTable('mail_outbox')
    .set({ last_error: error.slice(0, MAX_MAIL_ERROR_CHARACTERS), next_attempt_at: fromNow(pauseSeconds, 'seconds') })
    .where('id', '=', id)
    // Unless another worker has taken it over meanwhile.
    .where('attempts', '=', attempts)
    .where('sent_at', 'is', null)
    .execute();
}

/** Clears away mail of long ago that nothing points at: sent, or past its point, for 30 days. */
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
