import type { Trx } from '#db/connect.server.ts';
import { INVITATION_LIFE_MS, MAX_MAILS_OF_SCHOOL_HOURLY } from '#app/limits.ts';
import { AppError } from '../../app-error.ts';
import { countLinkMailsOfLastHour } from '../../audit/hourly-budget.server.ts';
import { now } from '../../database-clock.server.ts';
import { createLinkToken } from '../../link-tokens.server.ts';
import { importedUserEmail } from '../../mail/email-templates.server.ts';
import { queueMail } from '../../mail/queries.server.ts';
import { storePasswordLink } from '../../people/password-links.server.ts';
import { requireSchoolName } from '../../school/queries.server.ts';
import type { PersonRecord } from '../records.ts';
import type { WriteContext } from './write-records.server.ts';

/** Throws 'tooMany' past what a school may mail in an hour. */
export async function assertFewMails({ trx, schoolId }: WriteContext, added: number): Promise<void> {
  if ((await countLinkMailsOfLastHour(trx, schoolId)) + added <= MAX_MAILS_OF_SCHOOL_HOURLY) return;
  throw new AppError(
    'tooMany',
    `At most ${MAX_MAILS_OF_SCHOOL_HOURLY} invitations can be sent in an hour. Import without them, and send links later.`,
  );
}

/** Mails each a link to choose a password. */
export async function invitePeople(
  { trx, schoolId, owner, doneBy, timeZone }: WriteContext,
  people: (PersonRecord & { id: number })[],
): Promise<void> {
  const school = await requireSchoolName(trx, schoolId);
  const expires = new Date(Date.now() + INVITATION_LIFE_MS);
  for (const { id, username, role, email, ...person } of people) {
    const { token, hash } = createLinkToken();
    const name = person.name ?? username;
    const sender = owner.username;
    const letter = importedUserEmail({ name, username, role, school, sender, token, expires, timeZone });
    const mailId = await queueMail(trx, schoolId, { name, address: email }, letter, expires);
    await storePasswordLink(trx, { schoolId, userId: id, hash, mailId, madeBy: doneBy, expires });
  }
}

/** Counts the links that this transaction has mailed. */
export async function countLinksMailedNow(trx: Trx, schoolId: number): Promise<number> {
  const links = await trx
    .selectFrom('password_links')
    .select('user_id')
    .where('school_id', '=', schoolId)
    .where('created_at', '=', now)
    .execute();
  return links.length;
}
