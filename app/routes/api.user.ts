import { db } from '#app/server/db.server.ts';
import { findAccount } from '#app/domain/people/queries.server.ts';
import { AppError } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { apiResource, requireUser } from '#app/server/api-resource.server.ts';

const route = apiResource({
  GET: requireUser(async ({ actor }) => {
    const account = await findAccount(db, actor.id);
    if (!account) throw new AppError('unauthorized', texts.unauthorized);
    return account;
  }),
});

export const loader = route.loader;
export const action = route.action;
