import type { Db } from '#db/connect.server.ts';
import { record } from '../audit/write-audit-entry.server.ts';
import { exactlyOnce } from '../idempotency.server.ts';
import { Refusal } from '../app-error.ts';
import { texts } from '../texts.ts';
import { findIssuedLink, usePasswordLink } from './password-links.server.ts';
import { hashPassword, passwordMark } from './passwords.server.ts';
import { holdUser } from './queries.server.ts';
import { revokeSessionsOf } from './sessions.server.ts';

/**
 * Sets the password of the user whose link this is, once, and ends all their sessions (C38). Throws 'notFound' for
 * a link that is unknown, used or expired.
 */
export async function setPassword(db: Db, token: string, password: string, key?: string): Promise<object> {
  const link = await findIssuedLink(db, token);
  if (!link) throw new Refusal('notFound', texts.passwordLinkInvalid);
  const { userId, schoolId } = link;
  const passwordHash = await hashPassword(password);
  const input = { password: await passwordMark(password, key) };
  return exactlyOnce(db, { scope: `user:${userId}`, key, operation: 'set password', input }, async (trx) => {
    await holdUser(trx, schoolId, userId);
    if (!(await usePasswordLink(trx, token))) throw new Refusal('notFound', texts.passwordLinkInvalid);
    await trx
      .updateTable('users')
      .set({ password_hash: passwordHash })
      .where('school_id', '=', schoolId)
      .where('id', '=', userId)
      .execute();
    await revokeSessionsOf(trx, userId);
    await record(trx, { id: userId, schoolId }, { action: 'set password by link', subject: 'user', subjectId: userId });
    return {};
  });
}
