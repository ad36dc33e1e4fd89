import type { Db } from '#db/connect.server.ts';
import type { Role } from '#db/roles.ts';
import type { Actor } from '../../actor.ts';
import { instantOf, isChangedSince } from '../../changes.server.ts';
import { asksForAll, type ListPage } from '../../list-page.ts';
import { findUsers, withoutNullName } from '../queries.server.ts';
import type { ListedUser } from '../schema.server.ts';

/** Lists users by username, or a part of them by id; deleted ones are only among what has changed. */
export async function listUsers(
  db: Db,
  { schoolId, timeZone }: Actor,
  roles: readonly Role[],
  page: ListPage,
): Promise<ListedUser[]> {
  if (asksForAll(page)) return findUsers(db, schoolId, roles);
  const { after, limit, since } = page;
  const users = await db
    .selectFrom('users')
    .select(['id', 'username', 'name', 'email', 'role', 'deleted_at'])
    .where('school_id', '=', schoolId)
    .$if(since === undefined, (query) => query.where('deleted_at', 'is', null))
    .$if(since !== undefined, (query) =>
      query.where(isChangedSince('users', schoolId, instantOf(since ?? '', timeZone))),
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
