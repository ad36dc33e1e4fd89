import type { Db } from '#db/connect.server.ts';
import { PASSWORD_LINK_LIFE_MS } from '#app/limits.ts';
import type { Member } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { exactlyOnce } from '../idempotency.server.ts';
import { passwordLinkEmail } from '../mail/email-templates.server.ts';
import { queueMail } from '../mail/queries.server.ts';
import { findSchoolName } from '../school/queries.server.ts';
import { createLinkToken } from '../link-tokens.server.ts';
import { storePasswordLink } from './password-links.server.ts';
import { findUserForUpdate } from './queries.server.ts';

/**
 * Mails a user of the school, or the administrator themselves, a link to choose a new password (C38). It works once,
 * for a day; a new one ends the one before. Throws 'notFound' outside the school.
 */
export function sendPasswordLink(db: Db, actor: Member, id: number, key?: string): Promise<{ email: string }> {
  const once = { scope: `user:${actor.id}`, key, operation: `send password link ${id}`, input: null };
  return exactlyOnce(db, once, async (trx) => {
    const { schoolId } = actor;
    const user = await findUserForUpdate(trx, schoolId, id);
    const { token, hash } = createLinkToken();
    const expires = new Date(Date.now() + PASSWORD_LINK_LIFE_MS);
    const letter = passwordLinkEmail({
      name: user.username,
      school: await findSchoolName(trx, schoolId),
      sender: actor.username,
      token,
      expires,
      timeZone: actor.timeZone,
    });
    const mailId = await queueMail(trx, schoolId, { name: user.username, address: user.email }, letter, expires);
    await storePasswordLink(trx, { schoolId, userId: id, hash, mailId, expires });
    await writeAuditEntry(trx, actor, { action: 'sent password link', subject: 'user', subjectId: id });
    return { email: user.email };
  });
}
