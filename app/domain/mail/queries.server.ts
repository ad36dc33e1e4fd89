import type { UpdateObject } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import type { Database, Row } from '#db/tables.ts';
import { OLD_MAIL_KEPT_DAYS } from '#app/limits.ts';
import { ago } from '../database-clock.server.ts';
import { findAdministrators } from '../people/queries.server.ts';
import { requireSchoolName } from '../school/queries.server.ts';
import { type EmailContent, toHtml, toPlainText } from './email-templates.server.ts';

export interface Recipient {
  name: string;
  address: string;
}

/** Takes the address of a link that was mailed; it is not called again when a request is repeated. */
export type OnLink = (url: string) => void;

/** Runs what mails a link, and returns the link beside the result; undefined if the request is a repeated one. */
export async function sendAndReturnLink<Result>(
  send: (onLink: OnLink) => Promise<Result>,
): Promise<{ result: Result; link: string | undefined }> {
  let link: string | undefined;
  const result = await send((url) => (link = url));
  return { result, link };
}

export type WaitingMail = Row<'mail_outbox'>;

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

/** A mail that has neither left nor been refused; undefined once it was dropped. */
export function findWaitingMail(db: Db, id: number): Promise<WaitingMail | undefined> {
  return db
    .selectFrom('mail_outbox')
    .selectAll()
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .where('refused_at', 'is', null)
    .executeTakeFirst();
}

/** Records the outcome of a try. The body, which contains a token, goes once nobody will send it any more. */
export async function recordMailOutcome(
  trx: Trx,
  { id, attempts }: WaitingMail,
  fate: UpdateObject<Database, 'mail_outbox'>,
): Promise<void> {
  const isOver = 'sent_at' in fate || 'refused_at' in fate;
  await trx
    .updateTable('mail_outbox')
    .set({ attempts, ...fate, ...(isOver && { body_text: '', body_html: '' }) })
    .where('id', '=', id)
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

/** Queues a mail to every administrator of the school, but one if it says so, in the transaction of what it is about. */
export async function mailAdministrators(
  trx: Trx,
  schoolId: number,
  lifeMs: number,
  toLetter: (recipient: { name: string; school: string }) => EmailContent,
  exceptId?: number,
): Promise<void> {
  const school = await requireSchoolName(trx, schoolId);
  for (const { id, username: name, email } of await findAdministrators(trx, schoolId)) {
    if (id === exceptId) continue;
    const sendUntil = new Date(Date.now() + lifeMs);
    await queueMail(trx, schoolId, { name, address: email }, toLetter({ name, school }), sendUntil);
  }
}
