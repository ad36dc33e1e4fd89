import type { Db } from '#db/connect.server.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { AppError } from '../app-error.ts';
import { isHandled } from '../idempotency.server.ts';
import { runLinkOperation } from '../run-operation.server.ts';
import { texts } from '../texts.ts';
import { findPasswordLinkIncludingUsed, consumePasswordLink } from './password-links.server.ts';
import { hashPassword, fingerprintPassword } from './passwords.server.ts';
import { findSchoolName } from '../school/queries.server.ts';
import { assertHardToGuess } from './password-rules.server.ts';
import { findUserForUpdate, replacePassword } from './queries.server.ts';
import { revokeUserSessions } from './sessions.server.ts';

/** Sets the password and ends all sessions of the user. Throws 'notFound' for an unknown, used or expired link. */
export async function setPassword(db: Db, token: string, password: string, key?: string): Promise<object> {
  const link = await findPasswordLinkIncludingUsed(db, token);
  if (!link) throw new AppError('notFound', texts.passwordLinkInvalid);
  const { userId, schoolId } = link;
  const once = { scope: `user:${userId}`, key, operation: 'set password' };
  if (!link.isOpen && !(await isHandled(db, once))) throw new AppError('notFound', texts.passwordLinkInvalid);
  await assertHardToGuess(password, { ...link, school: await findSchoolName(db, schoolId) });
  const passwordHash = await hashPassword(password);
  const input = { password: await fingerprintPassword(password, key) };
  return runLinkOperation(db, { ...once, input }, async (trx) => {
    await findUserForUpdate(trx, schoolId, userId);
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
