import { type ExpressionBuilder, sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import { databaseTrouble } from '#db/database-trouble.ts';
import { MANAGING_ROLES } from '#db/roles.ts';
import type { Database } from '#db/tables.ts';
import { ACCESS_TOKEN_SEEN_SECONDS } from '#app/limits.ts';
import type { Actor } from '../../actor.ts';
import { ago, now } from '../../database-clock.server.ts';
import { hashLinkToken } from '../../link-tokens.server.ts';
import { hasNoSecondFactor } from '../sessions.server.ts';
import type { ListedAccessToken } from './schema.server.ts';

export type OwnAccessToken = Awaited<ReturnType<typeof findOwnAccessTokens>>[number];

/** Finds the actor's own tokens, the newest first; those that have ended, too. */
export function findOwnAccessTokens(db: Db, userId: number) {
  return db
    .selectFrom('access_tokens')
    .select(['id', 'name', 'scope', 'created_at as createdAt', 'expires_at as expiresAt', 'last_used_at as usedAt'])
    .select(sql<boolean>`expires_at <= ${now}`.as('hasEnded'))
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute();
}

export async function listOwnAccessTokens(db: Db, userId: number): Promise<ListedAccessToken[]> {
  const tokens = await findOwnAccessTokens(db, userId);
  return tokens.map(({ id, name, scope, createdAt, expiresAt, usedAt }) => ({
    id,
    name,
    scope,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    lastUsedAt: usedAt?.toISOString() ?? null,
  }));
}

/** Finds the token's user with the role and school of now; undefined for an unknown or ended token. */
export async function findTokenActor(db: Db, token: string): Promise<Actor | undefined> {
  const row = await db
    .selectFrom('access_tokens')
    .innerJoin('users', 'users.id', 'access_tokens.user_id')
    .leftJoin('schools', 'schools.id', 'users.school_id')
    .select(['users.id', 'username', 'email', 'role', 'school_id as schoolId', 'time_zone as timeZone'])
    .select(['access_tokens.id as tokenId', 'scope'])
    .select((eb) => mustAddSecondFactor(eb).as('mustAddSecondFactor'))
    .select(({ eb, or }) =>
      or([eb('last_used_at', 'is', null), eb('last_used_at', '<', ago(ACCESS_TOKEN_SEEN_SECONDS, 'seconds'))]).as(
        'isUnseen',
      ),
    )
    .where('token_hash', '=', hashLinkToken(token))
    .where('users.deleted_at', 'is', null)
    .where(isLiveToken)
    .executeTakeFirst();
  if (!row) return undefined;
  const { tokenId, scope, isUnseen, mustAddSecondFactor: mustAdd, timeZone, ...user } = row;
  if (isUnseen) await noteUse(db, tokenId);
  const actor = { ...user, timeZone: timeZone ?? 'UTC', mustAddSecondFactor: Boolean(mustAdd) };
  return { ...actor, token: { id: tokenId, scope } };
}

export function isLiveToken(eb: ExpressionBuilder<Database, 'access_tokens'>) {
  return eb('access_tokens.expires_at', '>', now);
}

/** Tells an administrator of a school that asks for a second factor, who comes without a session and has none. */
export function mustAddSecondFactor(eb: ExpressionBuilder<Database, 'users' | 'schools'>) {
  return eb.and([
    eb('administrators_need_second_factor', '=', true),
    eb('role', 'in', MANAGING_ROLES),
    hasNoSecondFactor(eb),
    eb.not(hasPasskey(eb)),
  ]);
}

function hasPasskey(eb: ExpressionBuilder<Database, 'users'>) {
  return eb.exists(eb.selectFrom('passkeys').select('passkeys.id').whereRef('passkeys.user_id', '=', 'users.id'));
}

/** Notes the use. A user who only reads is served while nothing can be saved. */
async function noteUse(db: Db, id: number): Promise<void> {
  try {
    await db.updateTable('access_tokens').set({ last_used_at: now }).where('id', '=', id).execute();
  } catch (error) {
    if (databaseTrouble(error) === undefined) throw error;
  }
}
