import type { Db, Trx } from '#db/connect.server.ts';
import type { Actor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { now } from '../database-clock.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { texts } from '../texts.ts';
import { lockUserForUpdate } from './queries.server.ts';
import { isLiveSession } from './sessions.server.ts';

/** Ends a session. Throws 'notFound' unless it is a live one of the user's own. */
export function endOwnSession(db: Db, user: Actor, number: number, key?: string): Promise<object> {
  const request = { key, operation: `end own session ${number}`, input: null };
  const lockFirst = (trx: Trx) => lockUserForUpdate(trx, user.id);
  return runOperation(db, { actor: user, can: 'anyRole', lockFirst, ...request }, async (trx, actor) => {
    const ended = await trx
      .updateTable('sessions')
      .set({ revoked_at: now })
      .where('number', '=', number)
      .where('user_id', '=', actor.id)
      .where(isLiveSession)
      .returning(['device', 'address'])
      .executeTakeFirst();
    if (!ended) throw new AppError('notFound', texts.sessionNotFound);
    const about = { subject: 'user', subjectId: actor.id } as const;
    await writeAuditEntry(trx, actor, { action: 'ended own session', ...about, before: ended });
    return {};
  });
}
