import type { Db } from '#db/connect.server.ts';
import {
  FORGOTTEN_WINDOW_MINUTES,
  MAX_FORGOTTEN_PASSWORDS_OF_ADDRESS,
  MAX_FORGOTTEN_PASSWORDS_OF_NAME,
  MAX_FORGOTTEN_PASSWORDS_OF_SITE,
} from '#app/limits.ts';
import { type Budget, countAttempts, throttledName } from './login-budgets.server.ts';
import { usernameKey } from './username.ts';

/** Takes the same steps whether or not there is such a user; a job does the rest. Throws 'tooMany'. */
export async function requestPasswordLink(db: Db, username: string, network: string): Promise<void> {
  await countAttempts(db, budgetsFor(username, network));
  await db
    .insertInto('password_link_requests')
    .values({ username_key: usernameKey(username) })
    .execute();
}

/** Returns the budgets, the address first: one that has used up its own cannot use up that of a name. */
function budgetsFor(username: string, network: string): Budget[] {
  const budgets = [
    { key: `forgotten-address:${network}`, failures: MAX_FORGOTTEN_PASSWORDS_OF_ADDRESS },
    { key: `forgotten-name:${throttledName(username)}`, failures: MAX_FORGOTTEN_PASSWORDS_OF_NAME },
    { key: 'forgotten-site:', failures: MAX_FORGOTTEN_PASSWORDS_OF_SITE },
  ];
  return budgets.map((budget) => ({ ...budget, minutes: FORGOTTEN_WINDOW_MINUTES }));
}
