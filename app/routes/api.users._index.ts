import type { Role } from '#db/tables.ts';
import { db } from '#app/server/db.server.ts';
import { findUsers } from '#app/domain/people/queries.server.ts';
import { ROLES } from '#app/domain/permissions.ts';
import { AppError } from '#app/domain/app-error.ts';
import { apiResource, requireUser } from '#app/server/api-resource.server.ts';

const route = apiResource({
  GET: requireUser(async ({ actor, url }) => {
    const roles = rolesFrom(url.searchParams.getAll('role'));
    return actor.schoolId === null ? [] : findUsers(db, actor.schoolId, roles);
  }),
});

export const loader = route.loader;
export const action = route.action;

/** `?role=instructor,administrator` (spec §7); none named means all. Throws 'invalid' for any other word. */
function rolesFrom(named: string[]): Role[] {
  const words = named.flatMap((list) => list.split(','));
  return words.map((word) => {
    const role = ROLES.find((known) => known === word.trim());
    if (!role) throw new AppError('invalid', 'Invalid role');
    return role;
  });
}
