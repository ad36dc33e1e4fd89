import type { Db, Trx } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { lockSchool } from '../school/queries.server.ts';
import { findUserForUpdate } from './queries.server.ts';
import { revokeUserSessions } from './sessions.server.ts';

/** Ends every session of a user. Throws 'notFound' outside the school. */
export function signOutUser(db: Db, member: Member, id: number, key?: string): Promise<{ username: string }> {
  const request = { key, operation: `sign out user ${id}`, input: null };
  // Two administrators who sign each other out would otherwise wait for each other.
  const lockFirst = (trx: Trx) => lockSchool(trx, member.schoolId);
  return runOperation(db, { actor: member, can: 'manage users', lockFirst, ...request }, async (trx, actor) => {
    const { username } = await findUserForUpdate(trx, actor.schoolId, id);
    await revokeUserSessions(trx, id);
    await writeAuditEntry(trx, actor, { action: 'signed user out', subject: 'user', subjectId: id });
    return { username };
  });
}
