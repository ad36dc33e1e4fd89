import { setTimeout } from 'node:timers/promises';
import { Secret, TOTP } from 'otpauth';
import type { Db } from '#db/connect.server.ts';

const STEP_MS = 30_000;
const TIME_TO_ENTER_MS = 15_000;
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

/** Gives the user a second factor, of which no code was used. */
export async function makeSecondFactor(db: Db, user: { id: number }): Promise<void> {
  await db.insertInto('second_factors').values({ user_id: user.id, secret: SECRET, last_step: 0 }).execute();
}

/** What the app shows for a key so many steps from now. */
export function codeFrom(secret = SECRET, steps = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) });
  return totp.generate({ timestamp: Date.now() + steps * STEP_MS });
}

/** Saves waiting for the app's next code. */
export async function forgetUsedCode(db: Db, user: { id: number }): Promise<void> {
  await db.updateTable('second_factors').set({ last_step: 0 }).where('user_id', '=', user.id).execute();
}

/** What the app shows for a key, with time left to enter it in a browser. */
export async function codeToEnter(secret: string): Promise<string> {
  const left = STEP_MS - (Date.now() % STEP_MS);
  if (left < TIME_TO_ENTER_MS) await setTimeout(left);
  return codeFrom(secret);
}
