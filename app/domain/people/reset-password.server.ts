import type { Db, Trx } from '#db/connect.server.ts';
import { inTransaction } from '#db/transaction.ts';
import {
  FORGOTTEN_WINDOW_MINUTES,
  MAX_FORGOTTEN_PASSWORDS_OF_ADDRESS,
  MAX_FORGOTTEN_PASSWORDS_OF_NAME,
  MAX_FORGOTTEN_PASSWORDS_OF_SITE,
  MAX_MAIL_RETRY_SECONDS,
  PASSWORD_LINK_LIFE_MS,
} from '#app/limits.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import type { JobWork } from '../jobs/job.ts';
import { createLinkToken } from '../link-tokens.server.ts';
import { forgottenPasswordEmail, passwordLinkEmail } from '../mail/email-templates.server.ts';
import { type OnLink, queueMail } from '../mail/queries.server.ts';
import { findSchool, requireSchoolName, lockSchool } from '../school/queries.server.ts';
import type { Member } from '../actor.ts';
import { assertWithinBudget, MAIL_BUDGET } from '../audit/hourly-budget.server.ts';
import { runLinkOperation, runOperation } from '../run-operation.server.ts';
import { AppError } from '../app-error.ts';
import { isHandled } from '../idempotency.server.ts';
import { texts } from '../texts.ts';
import { type Budget, countAttemptOrThrow, throttledName } from './login-budgets.server.ts';
import { usernameKey } from './username.ts';
import { consumePasswordLink, findPasswordLinkIncludingUsed, storePasswordLink } from './password-links.server.ts';
import { findUserByUsername, requireUserForUpdate, replacePassword } from './queries.server.ts';
import { fingerprintPassword, hashPassword } from './passwords.server.ts';
import { assertHardToGuess } from './password-rules.server.ts';
import { revokeUserSessions } from './sessions.server.ts';

/** Takes the same steps whether or not there is such a user; a job does the rest. Throws 'tooMany'. */
export async function requestPasswordLink(db: Db, username: string, network: string): Promise<void> {
  await countAttemptOrThrow(db, budgetsFor(username, network));
  await db
    .insertInto('password_link_requests')
    .values({ username_key: usernameKey(username) })
    .execute();
}

/** Returns the budgets, the address first: one that has used up its own cannot use up that of a name. */
function budgetsFor(username: string, network: string): Budget[] {
  const budgets = [
    { key: `forgotten-address:${network}`, failures: MAX_FORGOTTEN_PASSWORDS_OF_ADDRESS },
    { key: `forgotten-name:${throttledName(username)}`, failures: MAX_FORGOTTEN_PASSWORDS_OF_NAME },
    { key: 'forgotten-site:', failures: MAX_FORGOTTEN_PASSWORDS_OF_SITE },
  ];
  return budgets.map((budget) => ({ ...budget, minutes: FORGOTTEN_WINDOW_MINUTES }));
}

/** Answers requests for a password link, one after another. An unknown name gets no mail. */
export function passwordLinkJob(db: Db): JobWork {
  return {
    ...{ kind: 'password link', atOnce: 1, longestRetrySeconds: MAX_MAIL_RETRY_SECONDS },
    async run({ subjectId }) {
      await inTransaction(db, (trx) => answerRequest(trx, subjectId));
      return { outcome: 'done' };
    },
  };
}

/** Whoever takes the request answers it. */
async function answerRequest(trx: Trx, id: number): Promise<void> {
  const request = await trx
    .deleteFrom('password_link_requests')
    .where('id', '=', id)
    .returning('username_key')
    .executeTakeFirst();
  const user = request && (await findUserByUsername(trx, request.username_key));
  if (user?.school_id) await mailLink(trx, user.id, user.school_id);
}

async function mailLink(trx: Trx, userId: number, schoolId: number): Promise<void> {
  await lockSchool(trx, schoolId);
  const school = await findSchool(trx, schoolId);
  const { username, email: address } = await requireUserForUpdate(trx, schoolId, userId);
  const { token, hash } = createLinkToken();
  const expires = new Date(Date.now() + PASSWORD_LINK_LIFE_MS);
  const details = { name: username, school: school?.name ?? '', timeZone: school?.timeZone ?? 'UTC' };
  const email = forgottenPasswordEmail({ ...details, token, expires });
  const mailId = await queueMail(trx, schoolId, { name: username, address }, email, expires);
  await storePasswordLink(trx, { schoolId, userId, hash, mailId, madeBy: null, expires });
  const about = { action: 'requested password link', subject: 'user', subjectId: userId } as const;
  await writeAuditEntry(trx, { id: userId, schoolId }, about);
}

/** Replaces any earlier link. Throws 'unproved', 'notFound' outside the school, and as `assertWithinBudget` does. */
export function sendPasswordLink(
  db: Db,
  member: Member,
  id: number,
  key?: string,
  onLink?: OnLink,
): Promise<{ email: string }> {
  const { schoolId } = member;
  const request = { key, operation: `send password link ${id}`, input: null };
  const operation = { actor: member, can: 'manage users', lockFirst: 'school', ...request } as const;
  return runOperation(db, operation, async (trx, actor) => {
    const user = await requireUserForUpdate(trx, schoolId, id);
    await assertWithinBudget(trx, actor, MAIL_BUDGET, { subject: 'user', subjectId: id });
    const { token, hash } = createLinkToken();
    const expires = new Date(Date.now() + PASSWORD_LINK_LIFE_MS);
    const email = passwordLinkEmail({
      name: user.username,
      school: await requireSchoolName(trx, schoolId),
      sender: actor.username,
      token,
      expires,
      timeZone: actor.timeZone,
    });
    const mailId = await queueMail(trx, schoolId, { name: user.username, address: user.email }, email, expires);
    await storePasswordLink(trx, { schoolId, userId: id, hash, mailId, madeBy: actor.id, expires });
    onLink?.(email.link.url);
    await writeAuditEntry(trx, actor, { action: 'sent password link', subject: 'user', subjectId: id });
    return { email: user.email };
  });
}

/** Sets the password and ends all sessions of the user. Throws 'notFound' for an unknown, used or expired link. */
export async function setPassword(db: Db, token: string, password: string, key?: string): Promise<object> {
  const link = await findPasswordLinkIncludingUsed(db, token);
  if (!link) throw new AppError('notFound', texts.passwordLinkInvalid);
  const { userId, schoolId } = link;
  const once = { scope: `user:${userId}`, key, operation: 'set password' };
  if (!link.isOpen && !(await isHandled(db, once))) throw new AppError('notFound', texts.passwordLinkInvalid);
  await assertHardToGuess(password, { ...link, school: await requireSchoolName(db, schoolId) });
  const passwordHash = await hashPassword(password);
  const input = { password: await fingerprintPassword(password, key) };
  return runLinkOperation(db, { ...once, schoolId, input }, async (trx) => {
    await requireUserForUpdate(trx, schoolId, userId);
    if (!(await consumePasswordLink(trx, token))) throw new AppError('notFound', texts.passwordLinkInvalid);
    await replacePassword(trx, userId, passwordHash);
    await revokeUserSessions(trx, userId);
    await writeAuditEntry(
      trx,
      { id: userId, schoolId },
      { action: 'set password by link', subject: 'user', subjectId: userId },
    );
    return {};
  });
}
