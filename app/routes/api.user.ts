import { db } from '../db.server.ts';
import { findAccount } from '../domain/people/queries.server.ts';
import { Refusal } from '../domain/refusal.ts';
import { texts } from '../domain/texts.ts';
import { resource, signedInCall } from '../http/api.server.ts';

const route = resource({
  GET: signedInCall(async ({ actor }) => {
    const account = await findAccount(db, actor.id);
    if (!account) throw new Refusal('unauthorized', texts.unauthorized);
    return account;
  }),
});

export const loader = route.loader;
export const action = route.action;
