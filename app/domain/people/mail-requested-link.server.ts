import type { Db, Trx } from '#db/connect.server.ts';
import { inTransaction } from '#db/transaction.ts';
import { MAX_MAIL_RETRY_SECONDS, PASSWORD_LINK_LIFE_MS } from '#app/limits.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import type { JobWork } from '../jobs/job.ts';
import { createLinkToken } from '../link-tokens.server.ts';
import { forgottenPasswordEmail } from '../mail/email-templates.server.ts';
import { queueMail } from '../mail/queries.server.ts';
import { findSchool, lockSchool } from '../school/queries.server.ts';
import { storePasswordLink } from './password-links.server.ts';
import { findUserByUsername, findUserForUpdate } from './queries.server.ts';

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
  const { username, email: address } = await findUserForUpdate(trx, schoolId, userId);
  const { token, hash } = createLinkToken();
  const expires = new Date(Date.now() + PASSWORD_LINK_LIFE_MS);
  const details = { name: username, school: school?.name ?? '', timeZone: school?.timeZone ?? 'UTC' };
  const email = forgottenPasswordEmail({ ...details, token, expires });
  const mailId = await queueMail(trx, schoolId, { name: username, address }, email, expires);
  await storePasswordLink(trx, { schoolId, userId, hash, mailId, madeBy: null, expires });
  const about = { action: 'requested password link', subject: 'user', subjectId: userId } as const;
  await writeAuditEntry(trx, { id: userId, schoolId }, about);
}
