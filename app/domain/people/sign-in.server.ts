import type { Db } from '#db/connect.server.ts';
import { MAX_THROTTLED_USERNAME_CHARACTERS } from '#app/limits.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import { countLoginAttempt, clearLoginAttempts } from './login-throttle.server.ts';
import type { SignInInput } from './schema.server.ts';
import { verifyPassword } from './passwords.server.ts';
import { findUserByUsername } from './queries.server.ts';
import type { VerifiedUser } from './sessions.server.ts';
import { usernameKey } from './username.ts';

/** Takes equally long for an unknown user; throws 'unauthorized', or 'tooMany' past ten failures in five minutes. */
export async function signIn(db: Db, { username, password }: SignInInput, network: string): Promise<VerifiedUser> {
  const attempt = `${usernameKey(username).slice(0, MAX_THROTTLED_USERNAME_CHARACTERS)} ${network}`;
  if (!(await countLoginAttempt(db, attempt))) throw new AppError('tooMany', texts.tooManyAttempts);
  const user = await findUserByUsername(db, username);
  const fits = await verifyPassword(password, user?.password_hash);
  if (!user?.password_hash || !fits) throw new AppError('unauthorized', texts.signInFailed);
  await clearLoginAttempts(db, attempt);
  return { userId: user.id, passwordHash: user.password_hash };
}
