import type { Db } from '#db/connect.server.ts';
import type { Actor } from '../../actor.ts';
import { writeAuditEntry } from '../../audit/write-audit-entry.server.ts';
import { runOperation } from '../../run-operation.server.ts';

/** Turns the keys that do something by themselves on or off, for the user. */
export function saveSingleKeys(db: Db, user: Actor, singleKeys: boolean, key?: string): Promise<object> {
  const request = { key, operation: 'save single keys', input: { singleKeys } };
  return runOperation(db, { actor: user, can: 'anyRole', ...request }, async (trx, actor) => {
    await trx.updateTable('users').set({ single_keys: singleKeys }).where('id', '=', actor.id).execute();
    const about = { subject: 'user', subjectId: actor.id } as const;
    await writeAuditEntry(trx, actor, { action: 'changed own keys', ...about, after: { singleKeys } });
    return {};
  });
}
