import type { Db } from '#db/connect.server.ts';
import { serializePendingSignIn } from '#app/server/session/authenticator.server.ts';
import { serializeDeviceOfUser } from '#app/server/session/known-device.server.ts';
import { startSession } from '#app/server/session/session.server.ts';

export const ORIGIN = 'http://localhost:3000';

/** What a route module's loader or action is called with. */
export function call(request: Request, params: Record<string, string> = {}) {
  return { request, params, context: {} };
}

/** The Cookie header of a browser that the user has used before, and has just signed in to. */
export async function cookieOf(db: Db, user: { id: number }, { sharedComputer = false } = {}): Promise<string> {
  const { passwordGeneration, username } = await db
    .selectFrom('users')
    .select(['password_generation as passwordGeneration', 'username'])
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  const verified = { userId: user.id, passwordGeneration };
  const device = pairOf(await serializeDeviceOfUser(username));
  const request = new Request(ORIGIN, { headers: { cookie: device } });
  const [session] = await startSession(db, request, verified, { username, usedSecondFactor: true, sharedComputer });
  return pairOf(session);
}

function pairOf(setCookie = ''): string {
  return setCookie.split(';')[0] ?? '';
}

/** The Cookie headers of browsers in which they are signed in, by the same names. */
export async function cookiesOf<Name extends string>(
  db: Db,
  people: Record<Name, { id: number }>,
): Promise<Record<Name, string>> {
  const names = Object.keys(people) as Name[];
  const cookies = await Promise.all(names.map(async (name) => [name, await cookieOf(db, people[name])] as const));
  return Object.fromEntries(cookies) as Record<Name, string>;
}

/** The Cookie header of a browser in which the user has entered the password and not yet the code. */
export async function pendingCookieOf({ id, username }: { id: number; username: string }): Promise<string> {
  const setCookie = await serializePendingSignIn({ userId: id, passwordGeneration: 0, username });
  return setCookie.split(';')[0] ?? '';
}

/** A page or call as that browser asks for it. */
export function getRequest(path: string, cookie = '', headers: Record<string, string> = {}): Request {
  return new Request(ORIGIN + path, { headers: { cookie, ...headers } });
}

/** A form as that browser posts it. */
export function formRequest(path: string, fields: Record<string, string>, cookie = ''): Request {
  return new Request(ORIGIN + path, {
    method: 'POST',
    headers: { cookie, origin: ORIGIN },
    body: new URLSearchParams(fields),
  });
}

/** A JSON call as that browser makes it; `body` undefined sends none. */
export function jsonRequest(
  method: string,
  path: string,
  body?: unknown,
  cookie = '',
  headers: Record<string, string> = {},
): Request {
  return new Request(ORIGIN + path, {
    method,
    headers: { cookie, origin: ORIGIN, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  });
}
