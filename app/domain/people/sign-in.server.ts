import type { Db } from '#db/connect.server.ts';
import { Refusal } from '../app-error.ts';
import { texts } from '../texts.ts';
import { countAttempt, forgetAttempts } from './login-throttle.server.ts';
import type { SignInFields } from './schema.server.ts';
import { passwordFits } from './passwords.server.ts';
import { findByUsername } from './queries.server.ts';
import { usernameKey } from './username.ts';

/**
 * The id of the live user with this username and password. Unknown user and wrong password give the same words
 * after the same time; past ten failures for one username from one network within five minutes it throws
 * 'tooMany' (C37). `network` is the client's network as the porter names it.
 */
export async function signIn(db: Db, { username, password }: SignInFields, network: string): Promise<number> {
  const attempt = `${usernameKey(username).slice(0, 200)} ${network}`;
  if (!(await countAttempt(db, attempt))) throw new Refusal('tooMany', texts.tooManyAttempts);
  const user = await findByUsername(db, username);
  const fits = await passwordFits(password, user?.password_hash);
  if (!user || !fits) throw new Refusal('unauthorized', texts.signInFailed);
  await forgetAttempts(db, attempt);
  return user.id;
}
