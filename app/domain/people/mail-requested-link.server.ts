import type { Db, Trx } from '#db/connect.server.ts';
import { inTransaction } from '#db/transaction.ts';
import { PASSWORD_LINK_LIFE_MS } from '#app/limits.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { createLinkToken } from '../link-tokens.server.ts';
import { forgottenPasswordEmail } from '../mail/email-templates.server.ts';
import { queueMail } from '../mail/queries.server.ts';
import { findSchool, lockSchool } from '../school/queries.server.ts';
import { storePasswordLink } from './password-links.server.ts';
import { findUserByUsername, findUserForUpdate } from './queries.server.ts';

/** Answers the oldest request for a password link; false if there is none. An unknown name gets no mail. */
export function mailRequestedLink(db: Db): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const request = await takeRequest(trx);
    if (!request) return false;
    const user = await findUserByUsername(trx, request.username_key);
    if (user?.school_id) await mailLink(trx, user.id, user.school_id);
    return true;
  });
}

function takeRequest(trx: Trx) {
  return trx
    .deleteFrom('password_link_requests')
    .where('id', '=', (eb) =>
      eb.selectFrom('password_link_requests').select('id').orderBy('id').limit(1).forUpdate().skipLocked(),
    )
    .returning('username_key')
    .executeTakeFirst();
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
