import type { Db, Trx } from '#db/connect.server.ts';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { alertAdministrators } from '../../audit/alerts.server.ts';
import { writeAuditEntry } from '../../audit/write-audit-entry.server.ts';
import { runOperation } from '../../run-operation.server.ts';
import { lockUserForUpdate } from '../queries.server.ts';
import { revokePasskeySessions } from '../sessions.server.ts';
import { countPasskeys } from './passkeys.server.ts';
import { passkeyTexts } from './passkey-texts.server.ts';

/** Removes a passkey and ends the other sessions that it started. Throws 'notFound' unless it is the user's own. */
export function removePasskey(db: Db, user: Actor, id: number, key?: string): Promise<object> {
  const request = { key, operation: `remove passkey ${id}`, input: null };
  const lockFirst = (trx: Trx) => lockUserForUpdate(trx, user.id);
  return runOperation(db, { actor: user, can: 'anyRole', lockFirst, ...request }, async (trx, actor) => {
    await revokePasskeySessions(trx, actor.id, id, actor.sessionId);
    const removed = await trx
      .deleteFrom('passkeys')
      .where('id', '=', id)
      .where('user_id', '=', actor.id)
      .returning('name')
      .executeTakeFirst();
    if (!removed) throw new AppError('notFound', passkeyTexts.notFound);
    const about = { subject: 'user', subjectId: actor.id } as const;
    await writeAuditEntry(trx, actor, { action: 'removed passkey', ...about, before: removed });
    if (actor.schoolId !== null && (await countPasskeys(trx, actor.id)) === 0)
      await alertAdministrators(trx, actor.schoolId, { about: 'last passkey removed', userId: actor.id });
    return {};
  });
}
