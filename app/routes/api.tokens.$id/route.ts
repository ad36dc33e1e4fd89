import { accessTokenTexts } from '#app/domain/people/access-tokens/schema.server.ts';
import { removeAccessToken } from '#app/domain/people/access-tokens/change-access-tokens.server.ts';
import { authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';

export const loader = apiResource({
  DELETE: authedCall({
    can: 'anyRole',
    school: 'optional',
    ids: { id: accessTokenTexts.notFound },
    run: ({ actor, params, key }) => removeAccessToken(db, actor, params.id, key),
  }),
});
export const action = loader;
