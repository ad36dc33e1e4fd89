import { createHmac, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { usernameKey } from '#app/domain/people/username.ts';
import { env } from '#app/env.server.ts';
import { MAX_USERS_OF_DEVICE } from '#app/limits.ts';
import { deviceCookie } from './cookies.server.ts';

const deviceSchema = z.object({ id: z.string(), users: z.array(z.string()) });

type Device = z.infer<typeof deviceSchema>;

/** Returns the id of the browser, if this user has signed in there before. */
export async function findKnownDevice(request: Request, username: string): Promise<string | undefined> {
  const device = await findDevice(request.headers.get('cookie'));
  return isDeviceOf(device, username) ? device?.id : undefined;
}

export function isDeviceOf(device: Device | undefined, username: string): boolean {
  return device?.users.includes(keyedHash(username)) ?? false;
}

/** Returns the Set-Cookie value that makes the browser, known by a former one or not, one where this user has signed in. */
export function rememberDevice(username: string, former?: Device): Promise<string> {
  const { id, users } = former ?? { id: randomUUID(), users: [] };
  const others = users.filter((user) => user !== keyedHash(username));
  const known = [keyedHash(username), ...others].slice(0, MAX_USERS_OF_DEVICE);
  return deviceCookie.serialize({ id, users: known });
}

/** Returns the browser that a Cookie header names, if somebody has signed in there. */
export async function findDevice(cookies: string | null | undefined): Promise<Device | undefined> {
  return deviceSchema.safeParse(await deviceCookie.parse(cookies ?? null)).data;
}

function keyedHash(username: string): string {
  return createHmac('sha256', env.SESSION_SECRET)
    .update(`device ${usernameKey(username)}`)
    .digest('base64url');
}
