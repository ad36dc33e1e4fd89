import { AppError } from '#app/domain/app-error.ts';
import { findAccount } from '#app/domain/people/queries.server.ts';
import { texts } from '#app/domain/texts.ts';
import { authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';

export const loader = apiResource({
  GET: authedCall({
    can: 'anyRole',
    school: 'optional',
    run: async ({ actor }) => {
      const account = await findAccount(db, actor.id);
      if (!account) throw new AppError('unauthorized', texts.unauthorized);
      return account;
    },
  }),
});
export const action = loader;
