import type { Db, Trx } from '#db/connect.server.ts';
import type { Actor } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { lockUserForUpdate } from './queries.server.ts';
import { revokeUserSessions } from './sessions.server.ts';

/** Ends all sessions of the user, that of this request too. */
export function signOutEverywhere(db: Db, user: Actor, key?: string): Promise<object> {
  const request = { key, operation: 'sign out everywhere', input: null };
  const lockFirst = (trx: Trx) => lockUserForUpdate(trx, user.id);
  return runOperation(db, { actor: user, can: 'anyRole', lockFirst, ...request }, async (trx, actor) => {
    await revokeUserSessions(trx, actor.id);
    await writeAuditEntry(trx, actor, { action: 'signed out everywhere', subject: 'user', subjectId: actor.id });
    return {};
  });
}
