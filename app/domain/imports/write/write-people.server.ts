import { sql } from 'kysely';
import { INVITATION_LIFE_MS, MAX_MAILS_OF_SCHOOL } from '#app/limits.ts';
import { AppError } from '../../app-error.ts';
import { alertToPower } from '../../audit/alerts.server.ts';
import { createLinkToken } from '../../link-tokens.server.ts';
import { importedUserEmail } from '../../mail/email-templates.server.ts';
import { queueMail } from '../../mail/queries.server.ts';
import { storePasswordLink } from '../../people/password-links.server.ts';
import { usernameKey } from '../../people/username.ts';
import { findSchoolName } from '../../school/queries.server.ts';
import type { Plan } from '../plan/plan.ts';
import type { PersonRecord } from '../records.ts';
import { writeImportRows } from './import-rows.server.ts';
import { insertInBatches, takeIds } from './insert-rows.server.ts';
import type { WriteContext } from './write-context.ts';

/** Users with a password that nobody knows: each needs a link to choose one, sent now or later by an administrator. */
export async function writePeople(context: WriteContext, { added }: Plan<'people'>): Promise<void> {
  const { trx, schoolId, passwordHash, options, onProgress } = context;
  if (options.sendInvitations) await assertFewMails(context, added.filter(({ isFormer }) => !isFormer).length);
  const ids = await takeIds(trx, 'users', added.length);
  const people = added.map((record, at) => ({ ...record, id: ids[at] ?? 0 }));
  const now = new Date();
  const rows = people.map(({ id, username, name, email, role, isFormer }) => ({
    id,
    school_id: schoolId,
    username,
    username_key: usernameKey(username),
    name,
    email,
    role,
    password_hash: isFormer ? null : passwordHash,
    deleted_at: isFormer ? now : null,
  }));
  await insertInBatches(trx, 'users', TYPES, rows, onProgress);
  // Who had left before the import was not deleted after it.
  const origins = people.map(({ isFormer, ...person }) => ({
    ...person,
    ...(isFormer && { after: { former: true } }),
  }));
  await writeImportRows(context, 'user_id', origins);
  const present = people.filter(({ isFormer }) => !isFormer);
  if (options.sendInvitations) await sendLinks(context, present);
  for (const person of present) await alertToPower(trx, schoolId, person);
}

const TYPES = {
  id: 'integer',
  school_id: 'integer',
  username: 'text',
  username_key: 'text',
  name: 'text',
  email: 'text',
  role: 'text',
  password_hash: 'text',
  deleted_at: 'timestamptz',
};

/** Throws 'tooMany' past what a school may mail in an hour. */
async function assertFewMails({ trx, schoolId }: WriteContext, added: number): Promise<void> {
  const { sent } = await trx
    .selectFrom('password_links')
    .select(({ fn }) => fn.countAll<string>().as('sent'))
    .where('school_id', '=', schoolId)
    .where('created_at', '>', sql<Date>`now() - interval '1 hour'`)
    .executeTakeFirstOrThrow();
  if (Number(sent) + added <= MAX_MAILS_OF_SCHOOL) return;
  throw new AppError(
    'tooMany',
    `At most ${MAX_MAILS_OF_SCHOOL} invitations can be sent in an hour. Import without them, and send links later.`,
  );
}

async function sendLinks(
  { trx, schoolId, owner, doneBy, timeZone }: WriteContext,
  people: (PersonRecord & { id: number })[],
): Promise<void> {
  const school = await findSchoolName(trx, schoolId);
  const expires = new Date(Date.now() + INVITATION_LIFE_MS);
  for (const { id, username, name, email, role } of people) {
    const { token, hash } = createLinkToken();
    const letter = importedUserEmail({
      name: name ?? username,
      username,
      role,
      school,
      sender: owner.username,
      token,
      expires,
      timeZone,
    });
    const mailId = await queueMail(trx, schoolId, { name: name ?? username, address: email }, letter, expires);
    await storePasswordLink(trx, { schoolId, userId: id, hash, mailId, madeBy: doneBy, expires });
  }
}
