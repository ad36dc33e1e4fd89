import type { Db, Trx } from '#db/connect.server.ts';
import { PASSWORD_LINK_LIFE_MS } from '#app/limits.ts';
import type { Member } from '../actor.ts';
import { assertWithinBudget, MAIL_BUDGET } from '../audit/hourly-budget.server.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { passwordLinkEmail } from '../mail/email-templates.server.ts';
import { type OnLink, queueMail } from '../mail/queries.server.ts';
import { findSchoolName, lockSchool } from '../school/queries.server.ts';
import { createLinkToken } from '../link-tokens.server.ts';
import { storePasswordLink } from './password-links.server.ts';
import { findUserForUpdate } from './queries.server.ts';

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
  const lockFirst = (trx: Trx) => lockSchool(trx, schoolId);
  const operation = { actor: member, can: 'manage users', lockFirst, ...request } as const;
  return runOperation(db, operation, async (trx, actor) => {
    const user = await findUserForUpdate(trx, schoolId, id);
    await assertWithinBudget(trx, actor, MAIL_BUDGET, { subject: 'user', subjectId: id });
    const { token, hash } = createLinkToken();
    const expires = new Date(Date.now() + PASSWORD_LINK_LIFE_MS);
    const email = passwordLinkEmail({
      name: user.username,
      school: await findSchoolName(trx, schoolId),
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
