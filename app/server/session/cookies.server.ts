import { type CookieOptions, createCookie } from '@remix-run/node';
import { env } from '#app/env.server.ts';
import { FLASH_LIFE_S, KNOWN_DEVICE_LIFE_S, PASSKEY_CHALLENGE_LIFE_S, SECOND_STEP_LIFE_S } from '#app/limits.ts';

const secure = env.APP_URL.startsWith('https:');
const prefix = secure ? '__Host-' : '';
/** The first secret signs; each verifies what it has signed. */
const SESSION_SECRETS = [env.SESSION_SECRET, env.SESSION_SECRET_PREVIOUS].filter((secret) => secret !== undefined);
const shared = {
  httpOnly: true,
  sameSite: 'lax' as const,
  path: '/',
  secure,
  secrets: SESSION_SECRETS,
} satisfies CookieOptions;

export const sessionCookie = createCookie(`${prefix}flightline`, shared);

export const deviceCookie = createCookie(`${prefix}flightline-device`, { ...shared, maxAge: KNOWN_DEVICE_LIFE_S });

/** Returns the token of the session cookie with the secret that has signed it. */
export async function readSessionCookie(header: string | null): Promise<{ token: string; secret: string } | undefined> {
  for (const secret of SESSION_SECRETS) {
    const token: unknown = await createCookie(sessionCookie.name, { secrets: [secret] }).parse(header);
    if (typeof token === 'string' && token !== '') return { token, secret };
  }
  return undefined;
}

export const flashCookie = createCookie(`${prefix}flightline-flash`, { ...shared, maxAge: FLASH_LIFE_S });

export const pendingSignInCookie = createCookie(`${prefix}flightline-sign-in`, {
  ...shared,
  maxAge: SECOND_STEP_LIFE_S,
});

export const passkeyCookie = createCookie(`${prefix}flightline-passkey`, {
  ...shared,
  maxAge: PASSKEY_CHALLENGE_LIFE_S,
});
