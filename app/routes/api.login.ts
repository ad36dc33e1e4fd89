import { AppError } from '#app/domain/app-error.ts';
import { findAccount } from '#app/domain/people/queries.server.ts';
import { signInSchema } from '#app/domain/people/schema.server.ts';
import { texts } from '#app/domain/texts.ts';
import { publicBodyCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { jsonResponse } from '#app/server/api/api-responses.server.ts';
import { authenticate } from '#app/server/authenticator.server.ts';
import { db } from '#app/server/db.server.ts';
import { rememberDevice } from '#app/server/known-device.server.ts';
import { startSession } from '#app/server/session.server.ts';

const route = apiResource({
  POST: publicBodyCall({
    body: signInSchema,
    run: async ({ request, input }) => {
      const user = await authenticate(request, input);
      const cookies = [await startSession(db, request, user, input), ...(await rememberDevice(request, input))];
      const account = await findAccount(db, user.userId);
      if (!account) throw new AppError('unauthorized', texts.signInFailed);
      return jsonResponse(
        account,
        200,
        cookies.map((cookie): [string, string] => ['set-cookie', cookie]),
      );
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
