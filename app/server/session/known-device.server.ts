import { createHmac, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { usernameKey } from '#app/domain/people/username.ts';
import { env } from '#app/env.server.ts';
import { MAX_USERS_OF_DEVICE } from '#app/limits.ts';
import { deviceCookie } from './cookies.server.ts';

const deviceSchema = z.object({ id: z.string(), users: z.array(z.string()) });

type Device = z.infer<typeof deviceSchema>;

/** Returns the id of the browser, if this user has signed in there before. */
export async function findKnownDeviceId(request: Request, username: string): Promise<string | undefined> {
  const device = await findDeviceInCookies(request.headers.get('cookie'));
  return isDeviceOf(device, username) ? device?.id : undefined;
}

export function isDeviceOf(device: Device | undefined, username: string): boolean {
  return device?.users.includes(keyedHash(username)) ?? false;
}

/** Returns the Set-Cookie value that makes the browser, known by a former one or not, one where this user has signed in. */
export function serializeDeviceOfUser(username: string, former?: Device): Promise<string> {
  const { id, users } = former ?? { id: randomUUID(), users: [] };
  const others = users.filter((user) => user !== keyedHash(username));
  const known = [keyedHash(username), ...others].slice(0, MAX_USERS_OF_DEVICE);
  return deviceCookie.serialize({ id, users: known });
}

/** Returns the browser that a Cookie header names, if somebody has signed in there. */
export async function findDeviceInCookies(cookies: string | null | undefined): Promise<Device | undefined> {
  return deviceSchema.safeParse(await deviceCookie.parse(cookies ?? null)).data;
}

function keyedHash(username: string): string {
  return createHmac('sha256', env.SESSION_SECRET)
    .update(`device ${usernameKey(username)}`)
    .digest('base64url');
}

const BROWSERS: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPT|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Headless)?(Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Returns 'Firefox on Windows', for the user to recognise; nothing depends on it. */
export function deviceName(request: Request): string {
  const userAgent = request.headers.get('user-agent') ?? '';
  const browser = nameIn(BROWSERS, userAgent);
  const system = nameIn(SYSTEMS, userAgent);
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? 'Unknown device';
}

function nameIn(names: [RegExp, string][], userAgent: string): string | undefined {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1];
}
