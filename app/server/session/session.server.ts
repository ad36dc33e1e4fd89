import { createHmac, randomBytes } from 'node:crypto';
import type { Db } from '#db/connect.server.ts';
import type { Actor } from '#app/domain/actor.ts';
import { noteActor } from '#app/domain/audit/event-origin.server.ts';
import {
  findSessionActor,
  proveSession,
  revokeSession,
  type StrongProof,
  type VerifiedUser,
} from '#app/domain/people/sessions.server.ts';
import { startUserSession } from '#app/domain/people/start-user-session.server.ts';
import { findSessionOnPage } from '#app/domain/typed-forms/typed-forms.server.ts';
import { env } from '#app/env.server.ts';
import { MAX_SESSION_LIFE_S } from '#app/limits.ts';
import { clientAddress } from '../client-address.server.ts';
import { noteRenewedSession, noteUser, renewedSession } from '../observability/request-context.server.ts';
import { parkedFormKey } from '../parked-forms.server.ts';
import { setCookie } from '../with-cookies.server.ts';
import { shareInRequest } from '../query/share-in-request.server.ts';
import { deviceName } from './device-name.server.ts';
import { readSessionCookie, sessionCookie } from './cookies.server.ts';
import { findKnownDevice, rememberDevice } from './known-device.server.ts';

export async function findSessionUser(db: Db, request: Request): Promise<Actor | undefined> {
  const id = await readSessionId(request);
  const actor = id === undefined ? undefined : await shareInRequest(`session ${id}`, () => findSessionActor(db, id));
  noteActor(actor);
  noteUser(actor);
  return actor;
}

/** For loaders of a page, which all get what one of them asked for: its user, and what they have not sent of it. */
export async function findPageSession(db: Db, request: Request) {
  const id = await readSessionId(request);
  const url = new URL(request.url);
  const page = { path: url.pathname, parkedKey: parkedFormKey(url) };
  const session =
    id === undefined ? undefined : await shareInRequest(`page ${id} ${url}`, () => findSessionOnPage(db, id, page));
  noteActor(session?.actor);
  noteUser(session?.actor);
  return session;
}

/** Deletes what scripts have stored; not cookies, with the toast, and not the cache, with nothing private. */
export const CLEAR_SITE_DATA = { 'clear-site-data': '"storage"' };

interface SignIn extends StrongProof {
  username: string;
  sharedComputer?: boolean | undefined;
}

/**
 * Ends the former session and returns the Set-Cookie values of the new one and of the device, which a shared computer is
 * not. The user is told of a device that is new to them. Throws 'unauthorized' after a new password.
 */
export async function startSession(
  db: Db,
  request: Request,
  user: VerifiedUser,
  { username, sharedComputer = false, ...proof }: SignIn,
): Promise<string[]> {
  const token = newToken();
  const isKnownDevice = (await findKnownDevice(request, username)) !== undefined;
  const origin = { device: deviceName(request), address: clientAddress(request), isKnownDevice };
  await startUserSession(db, keyedHash(token), user, { ...origin, ...proof, sharedComputer });
  await endSession(db, request);
  const device = sharedComputer ? [] : [await rememberDevice(request, username)];
  return [await tokenCookie(token, sharedComputer), ...device];
}

/** After the password was entered again: sets a cookie with a new token, the former is good no more. Throws 'unauthorized'. */
export async function replaceSessionToken<Person extends Actor>(db: Db, actor: Person): Promise<Person> {
  const token = newToken();
  const sessionId = keyedHash(token);
  const { sharedComputer } = await proveSession(db, actor, sessionId);
  noteRenewedSession(actor.sessionId, sessionId);
  setCookie(await tokenCookie(token, sharedComputer));
  return { ...actor, sessionId };
}

/** Returns the Set-Cookie value that clears the cookie. */
export async function endSession(db: Db, request: Request): Promise<string> {
  const id = await readSessionId(request);
  if (id !== undefined) await revokeSession(db, id);
  return sessionCookie.serialize('', { maxAge: 0 });
}

/** Whether this server signed the cookie, whatever became of its session. */
export async function hasSessionCookie(request: Request): Promise<boolean> {
  return (await readSessionId(request)) !== undefined;
}

/** The keyed hash of the cookie's token, whatever became of its session. */
export async function readSessionId(request: Request): Promise<string | undefined> {
  const cookie = await readSessionCookie(request.headers.get('cookie'));
  return cookie && renewedSession(keyedHash(cookie.token, cookie.secret));
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Of a shared computer, it goes with the browser's closing. */
function tokenCookie(token: string, sharedComputer: boolean): Promise<string> {
  return sessionCookie.serialize(token, sharedComputer ? {} : { maxAge: MAX_SESSION_LIFE_S });
}

/** The secret is the one in force at sign-in, which has signed the cookie, too. */
function keyedHash(token: string, secret = env.SESSION_SECRET): string {
  return createHmac('sha256', secret).update(token).digest('base64url');
}
