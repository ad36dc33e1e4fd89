import type { Db } from '#db/connect.server.ts';
import type { Actor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { type IdempotentRequest, isHandled } from '../idempotency.server.ts';
import { texts } from '../texts.ts';
import type { SignInOrigin } from './login-budgets.server.ts';
import type { VerifiedUser } from './sessions.server.ts';
import { signIn } from './sign-in.server.ts';

/** Verifies as a sign-in does; undefined if the request was handled. Throws 'invalid', 'tooMany' or 'unavailable'. */
export async function verifyOwnPassword(
  db: Db,
  { id, username }: Actor,
  password: string,
  origin: SignInOrigin,
  request: Pick<IdempotentRequest, 'key' | 'operation'>,
): Promise<VerifiedUser | undefined> {
  if (await isHandled(db, { ...request, scope: `user:${id}` })) return undefined;
  try {
    return await signIn(db, { username, password }, origin);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unauthorized') throw error;
    throw new AppError('invalid', texts.currentPasswordWrong).onField('currentPassword');
  }
}
