import type { Db, Trx } from '#db/connect.server.ts';
import type { Actor } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { endJoinedInvitations } from '../invitations/joined-invitations.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { lockSchool } from '../school/queries.server.ts';
import { deletePasswordLink } from './password-links.server.ts';
import { assertSamePassword, lockUserForUpdate } from './queries.server.ts';
import type { VerifiedUser } from './sessions.server.ts';

export const CHANGE_EMAIL = 'change own email';

/** Changes the email and ends a password link. Throws 'conflict' if taken, 'unauthorized' without the password. */
export async function changeOwnEmail(
  db: Db,
  user: Actor,
  { email, verified }: { email: string; verified: VerifiedUser | undefined },
  key?: string,
): Promise<object> {
  const request = { key, operation: CHANGE_EMAIL, input: { email } };
  const lockFirst = async (trx: Trx) => {
    if (user.schoolId !== null) await lockSchool(trx, user.schoolId);
    await lockUserForUpdate(trx, user.id);
  };
  return runOperation(db, { actor: user, can: 'anyRole', lockFirst, ...request }, async (trx, actor) => {
    await assertSamePassword(trx, actor.id, verified);
    await trx.updateTable('users').set({ email }).where('id', '=', actor.id).execute();
    if (actor.schoolId !== null) await deletePasswordLink(trx, actor.schoolId, actor.id);
    await endJoinedInvitations(trx, actor, actor.id);
    const former = { before: { email: actor.email }, formerEmail: actor.email };
    await writeAuditEntry(trx, actor, {
      action: 'changed own email',
      subject: 'user',
      subjectId: actor.id,
      ...former,
    });
    return {};
  });
}
