import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright';
import type { Db } from '#db/connect.server.ts';

const STEP_MS = 30_000;
const MAX_TRIES = 10;
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

/** Enters what the app shows for a key; again where a code was no longer good once the server looked at it. */
export async function enterCode(page: Page, secret: string, submit: () => Promise<void>): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    await page.getByLabel('Code', { exact: true }).fill(codeFrom(secret));
    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    await submit();
    if ((await answered).status() < 400) return;
  }
  throw new Error('No code is taken.');
}
