import type { Db } from '#db/connect.server.ts';
import { MAX_THROTTLED_USERNAME_CHARACTERS } from '#app/limits.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import { countLoginAttempt, clearLoginAttempts } from './login-throttle.server.ts';
import type { SignInInput } from './schema.server.ts';
import { verifyPassword } from './passwords.server.ts';
import { findUserByUsername } from './queries.server.ts';
import { usernameKey } from './username.ts';

/**
 * The id of the live user with this username and password. Unknown user and wrong password give the same words
 * after the same time; past ten failures for one username from one network within five minutes it throws
 * 'tooMany' (C37). `network` is the client's network as the porter names it.
 */
export async function signIn(db: Db, { username, password }: SignInInput, network: string): Promise<number> {
  const attempt = `${usernameKey(username).slice(0, MAX_THROTTLED_USERNAME_CHARACTERS)} ${network}`;
  if (!(await countLoginAttempt(db, attempt))) throw new AppError('tooMany', texts.tooManyAttempts);
  const user = await findUserByUsername(db, username);
  const fits = await verifyPassword(password, user?.password_hash);
  if (!user || !fits) throw new AppError('unauthorized', texts.signInFailed);
  await clearLoginAttempts(db, attempt);
  return user.id;
}
