import type { Db, Trx } from '#db/connect.server.ts';
import type { Actor } from '../../actor.ts';
import { writeAuditEntry } from '../../audit/write-audit-entry.server.ts';
import { runOperation } from '../../run-operation.server.ts';
import { findAccount, lockUserForUpdate } from '../queries.server.ts';
import type { ChangeOwnNameInput } from '../schema.server.ts';

/** Changes the name shown beside the username; null removes it. */
export function changeOwnName(db: Db, user: Actor, { name }: ChangeOwnNameInput, key?: string): Promise<object> {
  const request = { key, operation: 'change own name', input: { name } };
  const lockFirst = (trx: Trx) => lockUserForUpdate(trx, user.id);
  return runOperation(db, { actor: user, can: 'anyRole', lockFirst, ...request }, async (trx, actor) => {
    const former = (await findAccount(trx, actor.id))?.name ?? null;
    if (former === name) return {};
    await trx.updateTable('users').set({ name }).where('id', '=', actor.id).execute();
    const values = { before: { name: former }, after: { name } };
    await writeAuditEntry(trx, actor, { action: 'changed own name', subject: 'user', subjectId: actor.id, ...values });
    return {};
  });
}
