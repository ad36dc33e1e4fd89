import { AppError } from '#app/domain/app-error.ts';
import { findAccount } from '#app/domain/people/queries.server.ts';
import { signInCallSchema } from '#app/domain/people/schema.server.ts';
import { texts } from '#app/domain/texts.ts';
import { publicBodyCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { jsonResponse } from '#app/server/api/api-responses.server.ts';
import { authenticate, authenticateCode } from '#app/server/session/authenticator.server.ts';
import { db } from '#app/server/db.server.ts';
import { startSession } from '#app/server/session/session.server.ts';

export const loader = apiResource({
  POST: publicBodyCall({
    body: signInCallSchema,
    run: async ({ request, input }) => {
      const user = await authenticate(request, input);
      if (user.hasSecondFactor) await requireCode(request, { ...user, username: input.username }, input.code);
      const session = { ...input, usedSecondFactor: user.hasSecondFactor };
      const cookies = await startSession(db, request, user, session);
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
export const action = loader;

function requireCode(
  request: Request,
  user: { userId: number; username: string },
  code: string | undefined,
): Promise<void> {
  if (code === undefined) throw new AppError('unauthorized', texts.secondFactorAsked);
  return authenticateCode(request, user, code);
}
