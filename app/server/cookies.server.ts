import { type CookieOptions, createCookie } from '@remix-run/node';
import { env } from '#app/env.server.ts';

const secure = env.APP_URL.startsWith('https:');
const prefix = secure ? '__Host-' : '';
const shared = {
  httpOnly: true,
  sameSite: 'lax' as const,
  path: '/',
  secure,
  secrets: [env.SESSION_SECRET],
} satisfies CookieOptions;

/** Holds a session's token; the session's row decides how long it lives, the cookie only when to forget it (C26). */
export const sessionCookie = createCookie(`${prefix}flightline`, shared);

/** Carries one toast over a redirect; what a lost answer carried is still there for the next one. */
export const flashCookie = createCookie(`${prefix}flightline-flash`, { ...shared, maxAge: 120 });
