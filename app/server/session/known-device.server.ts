import { createHmac, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { usernameKey } from '#app/domain/people/username.ts';
import { env } from '#app/env.server.ts';
import { MAX_USERS_OF_DEVICE } from '#app/limits.ts';
import { deviceCookie } from './cookies.server.ts';

const deviceSchema = z.object({ id: z.string(), users: z.array(z.string()) });

/** Returns the id of the browser, if this user has signed in there before. */
export async function findKnownDevice(request: Request, username: string): Promise<string | undefined> {
  const device = await findDevice(request.headers.get('cookie'));
  return device?.users.includes(keyedHash(username)) ? device.id : undefined;
}

/** Returns the Set-Cookie value that makes the browser one where this user has signed in. */
export async function rememberDevice(request: Request, username: string): Promise<string> {
  const { id, users } = (await findDevice(request.headers.get('cookie'))) ?? { id: randomUUID(), users: [] };
  const others = users.filter((user) => user !== keyedHash(username));
  const known = [keyedHash(username), ...others].slice(0, MAX_USERS_OF_DEVICE);
  return deviceCookie.serialize({ id, users: known });
}

/** Returns the browser that a Cookie header names, if somebody has signed in there. */
export async function findDevice(cookies: string | null | undefined) {
  return deviceSchema.safeParse(await deviceCookie.parse(cookies ?? null)).data;
}

function keyedHash(username: string): string {
  return createHmac('sha256', env.SESSION_SECRET)
    .update(`device ${usernameKey(username)}`)
    .digest('base64url');
}
