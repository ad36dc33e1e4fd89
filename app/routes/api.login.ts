import { db } from '../db.server.ts';
import { signInFields } from '../domain/people/fields.server.ts';
import { findAccount } from '../domain/people/queries.server.ts';
import { Refusal } from '../domain/refusal.ts';
import { texts } from '../domain/texts.ts';
import { json, resource } from '../http/api.server.ts';
import { authenticate } from '../http/authenticator.server.ts';
import { beginSession } from '../http/session.server.ts';

const route = resource({
  POST: async ({ request, body }) => {
    const credentials = await body(signInFields);
    const account = await findAccount(db, await authenticate(request, credentials));
    if (!account) throw new Refusal('unauthorized', texts.signInFailed);
    const cookie = await beginSession(db, request, account.id, credentials);
    return json(account, 200, { 'set-cookie': cookie });
  },
});

export const loader = route.loader;
export const action = route.action;
