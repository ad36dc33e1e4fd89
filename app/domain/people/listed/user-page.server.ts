import type { Db } from '#db/connect.server.ts';
import { MAX_UNPAGED_USERS, PAGE_USERS } from '#app/limits.ts';
import { containing } from '../../jump/queries.server.ts';
import { withoutNullName } from '../queries.server.ts';
import type { User } from '../schema.server.ts';
import { usernameKey } from '../username.ts';

export interface UserPageQuery {
  q?: string | undefined;
  after?: string | undefined;
  /** User who is on the page, whatever comes before. */
  person?: number | undefined;
}

export interface UserPage {
  users: User[];
  next: string | null;
}

export async function findUserPage(db: Db, schoolId: number | null, query: UserPageQuery = {}): Promise<UserPage> {
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

async function findPage(
  db: Db,
  schoolId: number | null,
  { q, after, from }: UserPageQuery & { from?: string },
): Promise<UserPage> {
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

function usersQuery(db: Db, schoolId: number | null) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'name', 'email', 'role'])
    .where('school_id', '=', schoolId)
    .where('deleted_at', 'is', null);
}
