import type { Db } from '#db/connect.server.ts';
import type { Role } from '#db/roles.ts';
import { MAX_UNPAGED_USERS, PAGE_USERS } from '#app/limits.ts';
import type { Actor } from '../actor.ts';
import { asksForAll, toSinceInstant, isChangedSince, type ListPageQuery } from '../changes.server.ts';
import { containing } from '../jump/find-jump-targets.server.ts';
import { findUsers, usersQuery, withoutNullName } from './queries.server.ts';
import type { ListedUser, User } from './schema.server.ts';
import { usernameKey } from './username.ts';

/** Lists users by username, or a part of them by id; deleted ones are only among what has changed. */
export async function listUsers(
  db: Db,
  { schoolId, timeZone }: Actor,
  roles: readonly Role[],
  page: ListPageQuery,
): Promise<ListedUser[]> {
  if (asksForAll(page)) return findUsers(db, schoolId, roles);
  const { after, limit, since } = page;
  const users = await db
    .selectFrom('users')
    .select(['id', 'username', 'name', 'email', 'role', 'deleted_at'])
    .where('school_id', '=', schoolId)
    .$if(since === undefined, (query) => query.where('deleted_at', 'is', null))
    .$if(since !== undefined, (query) =>
      query.where(isChangedSince('users', schoolId, toSinceInstant(since ?? '', timeZone))),
    )
    .$if(roles.length > 0, (query) => query.where('role', 'in', roles))
    .$if(after !== undefined, (query) => query.where('id', '>', after ?? 0))
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .orderBy('id')
    .execute();
  return users.map(({ deleted_at, ...user }) => ({
    ...withoutNullName(user),
    ...(deleted_at && { deletedAt: deleted_at.toISOString() }),
  }));
}

interface UserPageQuery {
  q?: string | undefined;
  after?: string | undefined;
  /** User who is on the page, whatever comes before. */
  person?: number | undefined;
}

export async function findUserPage(db: Db, schoolId: number | null, query: UserPageQuery = {}) {
  const page = await findPage(db, schoolId, query);
  const { person } = query;
  if (person === undefined || page.next === null || page.users.some(({ id }) => id === person)) return page;
  const sought = await findUser(db, schoolId, person);
  return sought ? findPage(db, schoolId, { from: sought.username }) : page;
}

export async function findUser(db: Db, schoolId: number | null, id: number): Promise<User | undefined> {
  const user = await usersQuery(db, schoolId).where('id', '=', id).executeTakeFirst();
  return user && withoutNullName(user);
}

async function findPage(db: Db, schoolId: number | null, { q, after, from }: UserPageQuery & { from?: string }) {
  const found = await usersQuery(db, schoolId)
    .$if(after !== undefined, (query) => query.where('username_key', '>', usernameKey(after ?? '')))
    .$if(from !== undefined, (query) => query.where('username_key', '>=', usernameKey(from ?? '')))
    .$if(q !== undefined, (query) =>
      query.where(({ or, eb }) =>
        or((['username', 'name', 'email'] as const).map((column) => eb(column, 'ilike', containing(q ?? '')))),
      ),
    )
    .orderBy('username_key')
    .limit(MAX_UNPAGED_USERS + 1)
    .execute();
  const isWhole = after === undefined && from === undefined && found.length <= MAX_UNPAGED_USERS;
  const users = found.slice(0, isWhole ? MAX_UNPAGED_USERS : PAGE_USERS).map(withoutNullName);
  return { users, next: found.length > users.length ? (users.at(-1)?.username ?? null) : null };
}
