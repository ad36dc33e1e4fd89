import { type Role, ROLES } from '#db/roles.ts';
import { AppError } from '#app/domain/app-error.ts';
import { listUsers } from '#app/domain/people/list-users.server.ts';
import { authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { pagedListResponse } from '#app/server/api/list-response.server.ts';
import { db } from '#app/server/db.server.ts';

export const loader = apiResource({
  GET: authedCall({
    can: 'anyRole',
    school: 'optional',
    run: async ({ actor, url, request }) => {
      const roles = parseRoles(url.searchParams.getAll('role'));
      return pagedListResponse(request, actor, (page) => listUsers(db, actor, roles, page));
    },
  }),
});
export const action = loader;

/** Parses `?role=instructor,administrator`; none, or an empty one, means all. Throws 'invalid' for any other word. */
function parseRoles(parameters: string[]): Role[] {
  const names = parameters.filter((list) => list !== '').flatMap((list) => list.split(','));
  return names.map((name) => {
    const role = ROLES.find((known) => known === name.trim());
    if (!role) throw new AppError('invalid', 'Invalid role');
    return role;
  });
}
