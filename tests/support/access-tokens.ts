import { randomBytes } from 'node:crypto';
import { hashLinkToken } from '#app/domain/link-tokens.server.ts';
import type { TokenScope } from '#app/domain/people/access-tokens/scopes.ts';
import type { Db } from '#db/connect.server.ts';
import type { NewRow } from '#db/tables.ts';

/** The row of an access token; its id. */
export async function insertAccessToken(
  db: Db,
  user: { id: number },
  columns: Partial<NewRow<'access_tokens'>> = {},
): Promise<number> {
  const token = {
    name: 'Books',
    scope: 'manage' as const,
    token_hash: hashLinkToken(newToken()),
    expires_at: inDays(30),
  };
  const row = { user_id: user.id, ...token, ...columns };
  return (await db.insertInto('access_tokens').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

/** The Authorization header of a new access token. */
export async function bearerOf(db: Db, user: { id: number }, scope: TokenScope = 'manage'): Promise<string> {
  const token = newToken();
  await insertAccessToken(db, user, { scope, token_hash: hashLinkToken(token) });
  return `Bearer ${token}`;
}

function newToken(): string {
  return `fl_${randomBytes(20).toString('hex')}`;
}

function inDays(days: number): Date {
  return new Date(Date.now() + days * 86_400_000);
}
