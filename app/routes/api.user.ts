import { db } from '#app/server/db.server.ts';
import { findAccount } from '#app/domain/people/queries.server.ts';
import { Refusal } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { resource, signedInCall } from '#app/server/api-resource.server.ts';

const route = resource({
  GET: signedInCall(async ({ actor }) => {
    const account = await findAccount(db, actor.id);
    if (!account) throw new Refusal('unauthorized', texts.unauthorized);
    return account;
  }),
});

export const loader = route.loader;
export const action = route.action;
