import { db } from '#app/server/db.server.ts';
import { signInFields } from '#app/domain/people/schema.server.ts';
import { findAccount } from '#app/domain/people/queries.server.ts';
import { Refusal } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { json, resource } from '#app/server/api-resource.server.ts';
import { authenticate } from '#app/server/authenticator.server.ts';
import { beginSession } from '#app/server/session.server.ts';

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
