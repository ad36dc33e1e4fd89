import { randomBytes } from 'node:crypto';
import type { Db, Trx } from '#db/connect.server.ts';
import { ACCESS_TOKEN_BYTES, MAX_ACCESS_TOKENS } from '#app/limits.ts';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { writeAuditEntry } from '../../audit/write-audit-entry.server.ts';
import { fromNow } from '../../database-clock.server.ts';
import { runOperation } from '../../run-operation.server.ts';
import { hashLinkToken } from '../../link-tokens.server.ts';
import { accessTokenTexts, type AddAccessTokenInput } from './schema.server.ts';

const PREFIX = 'fl_';

/** Makes a token, which is not stored; a repeated request gets another. Throws 'conflict' past the most. */
export async function addAccessToken(db: Db, user: Actor, input: AddAccessTokenInput, key?: string): Promise<string> {
  const token = PREFIX + randomBytes(ACCESS_TOKEN_BYTES).toString('hex');
  const request = { key, operation: 'add access token', input };
  const replay = (trx: Trx, actor: Actor) => replaceToken(trx, actor.id, token, key);
  await runOperation(
    db,
    { actor: user, can: 'anyRole', lockFirst: 'actor', replay, ...request },
    async (trx, actor) => {
      await assertRoom(trx, actor.id);
      await insertToken(trx, actor.id, token, input, key);
      const about = { subject: 'user', subjectId: actor.id } as const;
      await writeAuditEntry(trx, actor, { action: 'added access token', ...about, after: input });
      return {};
    },
  );
  return token;
}

async function assertRoom(trx: Trx, userId: number): Promise<void> {
  const tokens = await trx.selectFrom('access_tokens').select('id').where('user_id', '=', userId).execute();
  if (tokens.length >= MAX_ACCESS_TOKENS) throw new AppError('conflict', accessTokenTexts.tooMany);
}

async function insertToken(
  trx: Trx,
  userId: number,
  token: string,
  { name, scope, days }: AddAccessTokenInput,
  key: string | undefined,
): Promise<void> {
  const hash = { token_hash: hashLinkToken(token), request_id: key ?? null };
  const row = { user_id: userId, name, scope, ...hash, expires_at: fromNow(days, 'days') };
  await trx.insertInto('access_tokens').values(row).execute();
}

/** Replaces a token whose first answer may have been seen by nobody. Throws 'notFound' once it was removed. */
async function replaceToken(trx: Trx, userId: number, token: string, key: string | undefined): Promise<object> {
  const replaced = await trx
    .updateTable('access_tokens')
    .set({ token_hash: hashLinkToken(token) })
    .where('user_id', '=', userId)
    .where('request_id', '=', key ?? '')
    .returning('id')
    .executeTakeFirst();
  if (!replaced) throw new AppError('notFound', accessTokenTexts.notFound);
  return {};
}

/** Removes a token, also by a token without a password: it only takes rights away. Throws 'notFound' for another's. */
export function removeAccessToken(db: Db, user: Actor, id: number, key?: string): Promise<object> {
  const request = { key, operation: `remove access token ${id}`, input: null };
  return runOperation(
    db,
    { actor: user, can: 'anyRole', givesPower: () => !user.token, lockFirst: 'actor', ...request },
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
