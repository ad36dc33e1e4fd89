import { type CookieOptions, createCookie } from '@remix-run/node';
import { env } from '#app/env.server.ts';
import { FLASH_LIFE_S, KNOWN_DEVICE_LIFE_S, SECOND_STEP_LIFE_S } from '#app/limits.ts';

const secure = env.APP_URL.startsWith('https:');
const prefix = secure ? '__Host-' : '';
const shared = {
  httpOnly: true,
  sameSite: 'lax' as const,
  path: '/',
  secure,
  secrets: [env.SESSION_SECRET],
} satisfies CookieOptions;

export const sessionCookie = createCookie(`${prefix}flightline`, shared);

export const deviceCookie = createCookie(`${prefix}flightline-device`, { ...shared, maxAge: KNOWN_DEVICE_LIFE_S });

export const flashCookie = createCookie(`${prefix}flightline-flash`, { ...shared, maxAge: FLASH_LIFE_S });

export const pendingSignInCookie = createCookie(`${prefix}flightline-sign-in`, {
  ...shared,
  maxAge: SECOND_STEP_LIFE_S,
});
