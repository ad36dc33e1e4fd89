import type { Db, Trx } from '#db/connect.server.ts';
import type { Actor } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { deletePasswordLink } from './password-links.server.ts';
import { fingerprintPassword, hashPassword } from './passwords.server.ts';
import { findSchool } from '../school/queries.server.ts';
import { assertHardToGuess } from './password-rules.server.ts';
import { assertSamePassword, lockUserForUpdate, replacePassword } from './queries.server.ts';
import { revokeUserSessions, type VerifiedUser } from './sessions.server.ts';

export const CHANGE_PASSWORD = 'change own password';

/** Changes the password and ends the user's other sessions. Throws 'unauthorized' without the current one. */
export async function changeOwnPassword(
  db: Db,
  user: Actor,
  { password, verified }: { password: string; verified: VerifiedUser | undefined },
  key?: string,
): Promise<object> {
  const school = await findSchool(db, user.schoolId);
  await assertHardToGuess(password, { ...user, school: school?.name });
  const passwordHash = await hashPassword(password);
  const input = { password: await fingerprintPassword(password, key) };
  const request = { key, operation: CHANGE_PASSWORD, input };
  const lockFirst = (trx: Trx) => lockUserForUpdate(trx, user.id);
  return runOperation(db, { actor: user, can: 'anyRole', lockFirst, ...request }, async (trx, actor) => {
    await assertSamePassword(trx, actor.id, verified);
    await replacePassword(trx, actor.id, passwordHash);
    await revokeUserSessions(trx, actor.id, actor.sessionId);
    if (actor.schoolId !== null) await deletePasswordLink(trx, actor.schoolId, actor.id);
    await writeAuditEntry(trx, actor, { action: 'changed own password', subject: 'user', subjectId: actor.id });
    return {};
  });
}
