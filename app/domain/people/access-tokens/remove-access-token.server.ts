import type { Db, Trx } from '#db/connect.server.ts';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { writeAuditEntry } from '../../audit/write-audit-entry.server.ts';
import { runOperation } from '../../run-operation.server.ts';
import { lockUserForUpdate } from '../queries.server.ts';
import { accessTokenTexts } from './access-token-texts.server.ts';

/** Removes a token, also by a token without a password: it only takes rights away. Throws 'notFound' for another's. */
export function removeAccessToken(db: Db, user: Actor, id: number, key?: string): Promise<object> {
  const request = { key, operation: `remove access token ${id}`, input: null };
  const lockFirst = (trx: Trx) => lockUserForUpdate(trx, user.id);
  return runOperation(
    db,
    { actor: user, can: 'anyRole', givesPower: () => !user.token, lockFirst, ...request },
    async (trx, actor) => {
      const removed = await trx
        .deleteFrom('access_tokens')
        .where('id', '=', id)
        .where('user_id', '=', actor.id)
        .returning(['name', 'scope'])
        .executeTakeFirst();
      if (!removed) throw new AppError('notFound', accessTokenTexts.notFound);
      const about = { subject: 'user', subjectId: actor.id } as const;
      await writeAuditEntry(trx, actor, { action: 'removed access token', ...about, before: removed });
      return {};
    },
  );
}
