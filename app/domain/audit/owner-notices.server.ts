import type { Db, Trx } from '#db/connect.server.ts';
import { env } from '#app/env.server.ts';
import { ALERT_MAIL_LIFE_MS, ALERT_PAUSE_HOURS, MAX_MAILS_TO_TARGET_HOURLY, OWN_NOTICES_LISTED } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { formatDateTime } from '../format.server.ts';
import { countInDatabase } from '../limiter.server.ts';
import type { EmailContent } from '../mail/email-templates.server.ts';
import { queueMail } from '../mail/queries.server.ts';
import type { Action } from './actions.ts';
import { eventOrigin } from './event-origin.server.ts';

/** The sentence that tells the owner of an account what happened to how they sign in. */
const NOTICES: Partial<Record<Action, string>> = {
  'signed in on a new device': 'Your account was used to sign in on a device that had not been used for it before.',
  'guessed codes': 'Somebody who knows your password entered too many wrong codes.',
  'used recovery code': 'One of your recovery codes was used.',
  'changed own password': 'Your password was changed.',
  'set password by link': 'Your password was changed with a link for a new password.',
  'set password on the command line': 'Your password was changed by the operator of the server.',
  'made password link on the command line': 'The operator of the server made a link to choose a new password for you.',
  'changed own email': 'The email address of your account was changed.',
  'changed user': 'An administrator changed your account: username, name, email address or role.',
  'added second factor': 'A second factor was added: signing in asks for a code from now on.',
  'removed second factor': 'The second factor was removed: a password is enough to sign in.',
  'replaced recovery codes': 'Your recovery codes were replaced.',
  'added passkey': 'A passkey was added, which signs in without your password.',
  'removed passkey': 'A passkey was removed.',
  'added access token': 'An access token was added, with which a program acts as you.',
  'made calendar link': 'A calendar link was made, which shows flights without a sign-in.',
};

/** These come with a mail of their own, or take power away. */
const LISTED_ONLY: readonly Action[] = ['sent password link', 'requested password link', 'removed access token'];

const LISTED = [...Object.keys(NOTICES), ...LISTED_ONLY];

interface Happened {
  action: Action;
  userId: number;
  schoolId: number | null;
  /** The address before it was changed, which hears of it too. */
  formerEmail?: string | undefined;
}

/**
 * Queues a mail to the owner of the account, in the transaction of the event, if it is one that owners hear of. Of each kind
 * they hear five times an hour: nobody has proved that the address is theirs.
 */
export async function tellOwner(trx: Trx, { action, userId, schoolId, formerEmail }: Happened): Promise<void> {
  const sentence = NOTICES[action];
  if (sentence === undefined || schoolId === null) return;
  const owner = await findOwner(trx, userId, schoolId);
  if (!owner) return;
  const { count } = await countInDatabase(trx, `told:${userId} as owner: ${action}`, ALERT_PAUSE_HOURS * 60);
  if (count > MAX_MAILS_TO_TARGET_HOURLY) return;
  const letter = toLetter(owner, sentence);
  const sendUntil = new Date(Date.now() + ALERT_MAIL_LIFE_MS);
  for (const address of new Set([owner.email, formerEmail ?? owner.email]))
    await queueMail(trx, schoolId, { name: owner.username, address }, letter, sendUntil);
}

/** The newest events that the user heard of, for the account screen; the newest first. */
export function findOwnNotices(db: Db, { id, schoolId }: { id: number; schoolId: number | null }) {
  return db
    .selectFrom('audit_entries')
    .select(['id', 'action', 'created_at as at', 'address'])
    .where('school_id', '=', schoolId)
    .where('subject', '=', 'user')
    .where('subject_id', '=', id)
    .where('action', 'in', LISTED)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(OWN_NOTICES_LISTED)
    .execute();
}

export type OwnNotice = Awaited<ReturnType<typeof findOwnNotices>>[number];

type Owner = NonNullable<Awaited<ReturnType<typeof findOwner>>>;

function findOwner(trx: Trx, userId: number, schoolId: number) {
  return trx
    .selectFrom('users')
    .innerJoin('schools', 'schools.id', 'users.school_id')
    .select(['username', 'email', 'schools.name as school', 'time_zone as timeZone'])
    .where('users.id', '=', userId)
    .where('school_id', '=', schoolId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

function toLetter({ username, school, timeZone }: Owner, sentence: string): EmailContent {
  const address = eventOrigin()?.address;
  const when = formatDateTime(new Date(), timeZone).text;
  return {
    subject: `Your account at ${school}`,
    before: [`Hello ${username},`, sentence, `It happened on ${when}${address ? `, from ${address}` : ''}.`],
    link: { label: 'View your account', url: env.APP_URL + paths.account },
    after: ['If it was you, you need not do anything. If not, change your password and tell an administrator.'],
  };
}
