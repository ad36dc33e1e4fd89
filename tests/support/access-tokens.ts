import { randomBytes } from 'node:crypto';
import { hashLinkToken } from '#app/domain/link-tokens.server.ts';
import type { TokenScope } from '#app/domain/people/access-tokens/scopes.ts';
import type { Db } from '#db/connect.server.ts';
import { type Columns, insertRow } from './rows.ts';

/** The row of an access token; its id. */
export function insertAccessToken(db: Db, user: { id: number }, columns: Columns<'access_tokens'> = {}) {
  const expires_at = new Date(Date.now() + 30 * 86_400_000);
  const token = { name: 'Books', scope: 'manage' as const, token_hash: hashLinkToken(newToken()), expires_at };
  return insertRow(db, 'access_tokens', { user_id: user.id, ...token, ...columns });
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
