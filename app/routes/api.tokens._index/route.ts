import { listOwnAccessTokens } from '#app/domain/people/access-tokens/access-tokens.server.ts';
import { authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';

export const loader = apiResource({
  GET: authedCall({ can: 'anyRole', school: 'optional', run: ({ actor }) => listOwnAccessTokens(db, actor.id) }),
});
export const action = loader;
