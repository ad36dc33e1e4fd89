import { AsyncLocalStorage } from 'node:async_hooks';
import { type CookieOptions, createCookie, type data } from '@remix-run/node';
import { env } from '#app/env.server.ts';
import { FLASH_LIFE_S, KNOWN_DEVICE_LIFE_S, PASSKEY_CHALLENGE_LIFE_S, SECOND_STEP_LIFE_S } from '#app/limits.ts';

const secure = env.APP_URL.startsWith('https:');
const prefix = secure ? '__Host-' : '';
/** The first secret signs; each verifies what it has signed. */
export const SESSION_SECRETS = [env.SESSION_SECRET, env.SESSION_SECRET_PREVIOUS].filter(
  (secret) => secret !== undefined,
);
const shared = {
  httpOnly: true,
  sameSite: 'lax' as const,
  path: '/',
  secure,
  secrets: SESSION_SECRETS,
} satisfies CookieOptions;

export const sessionCookie = createCookie(`${prefix}flightline`, shared);

const COOKIES_BY_SECRET = SESSION_SECRETS.map((secret) => ({
  secret,
  cookie: createCookie(sessionCookie.name, { secrets: [secret] }),
}));

export const deviceCookie = createCookie(`${prefix}flightline-device`, { ...shared, maxAge: KNOWN_DEVICE_LIFE_S });

/** Returns the token of the session cookie with the secret that has signed it. */
export async function readSessionCookie(header: string | null): Promise<{ token: string; secret: string } | undefined> {
  for (const { secret, cookie } of COOKIES_BY_SECRET) {
    const token: unknown = await cookie.parse(header);
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

export type ScreenAnswer = Response | ReturnType<typeof data>;

const collected = new AsyncLocalStorage<string[]>();

/** Adds the cookies of `setCookie` to whatever response the work returns or throws. */
export async function withCookies<Answer extends ScreenAnswer>(work: () => Promise<Answer>): Promise<Answer> {
  const cookies: string[] = [];
  try {
    const answer = await collected.run(cookies, work);
    addCookies(answer, cookies);
    return answer;
  } catch (thrown) {
    if (thrown instanceof Response) addCookies(thrown, cookies);
    throw thrown;
  }
}

/** Sends this Set-Cookie value with the answer to the request. */
export function setCookie(cookie: string): void {
  collected.getStore()?.push(cookie);
}

function addCookies(answer: ScreenAnswer, cookies: string[]): void {
  const headers = answer instanceof Response ? answer.headers : new Headers(answer.init?.headers);
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  if (!(answer instanceof Response) && cookies.length > 0) answer.init = { ...answer.init, headers };
}
