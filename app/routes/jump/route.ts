import { findJumpTargets } from '#app/domain/jump/find-jump-targets.server.ts';
import { authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';

export const loader = apiResource({
  GET: authedCall({
    can: 'anyRole',
    school: 'optional',
    run: async ({ actor, url }) => ({ places: await findJumpTargets(db, actor, url.searchParams.get('q') ?? '') }),
  }),
});
export const action = loader;
