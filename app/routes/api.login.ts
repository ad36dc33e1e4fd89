import { db } from '#app/server/db.server.ts';
import { signInSchema } from '#app/domain/people/schema.server.ts';
import { findAccount } from '#app/domain/people/queries.server.ts';
import { AppError } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { jsonResponse, apiResource } from '#app/server/api-resource.server.ts';
import { authenticate } from '#app/server/authenticator.server.ts';
import { startSession } from '#app/server/session.server.ts';

const route = apiResource({
  POST: async ({ request, body }) => {
    const credentials = await body(signInSchema);
    const account = await findAccount(db, await authenticate(request, credentials));
    if (!account) throw new AppError('unauthorized', texts.signInFailed);
    const cookie = await startSession(db, request, account.id, credentials);
    return jsonResponse(account, 200, { 'set-cookie': cookie });
  },
});

export const loader = route.loader;
export const action = route.action;
