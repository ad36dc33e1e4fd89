import { createHmac, randomBytes } from 'node:crypto';
import type { Db } from '#db/connect.server.ts';
import type { Actor } from '#app/domain/actor.ts';
import { noteActor } from '#app/domain/audit/event-origin.server.ts';
import {
  findSessionActor,
  proveSessionUnderNewId,
  revokeSession,
  type StrongProof,
  type VerifiedUser,
} from '#app/domain/people/sessions.server.ts';
import { startUserSession } from '#app/domain/people/sign-in.server.ts';
import { findActorAndUnsentForms } from '#app/domain/drafts.server.ts';
import { env } from '#app/env.server.ts';
import { MAX_SESSION_LIFE_S } from '#app/limits.ts';
import { clientAddress } from '../client-address.server.ts';
import {
  noteRenewedSession,
  noteRequestUser,
  currentSessionId,
  requestContext,
  type RequestContext,
} from '../observability/request-context.server.ts';
import { readSessionCookie, sessionCookie, setCookie } from './cookies.server.ts';
import { db } from '../db.server.ts';
import { recorder } from '../event-recorder.server.ts';
import { deviceName, findDeviceInCookies, isDeviceOf, serializeDeviceOfUser } from './known-device.server.ts';

export async function findSessionUser(db: Db, request: Request): Promise<Actor | undefined> {
  const id = await readSessionId(request);
  const actor = id === undefined ? undefined : await shareInRequest(`session ${id}`, () => findSessionActor(db, id));
  noteActor(actor);
  noteRequestUser(actor);
  return actor;
}

/** Finds the page's user and the forms they have not sent. All loaders of a page share what one of them asked for. */
export async function findPageSession(db: Db, request: Request) {
  const id = await readSessionId(request);
  const url = new URL(request.url);
  const session =
    id === undefined
      ? undefined
      : await shareInRequest(`page ${id} ${url}`, () => findActorAndUnsentForms(db, id, url));
  noteActor(session?.actor);
  noteRequestUser(session?.actor);
  return session;
}

/** Deletes what scripts have stored. Cookies stay, for the toast, and so does the cache, which has nothing private. */
export const CLEAR_SITE_DATA_HEADERS = { 'clear-site-data': '"storage"' };

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
  const former = await findDeviceInCookies(request.headers.get('cookie'));
  const isKnownDevice = isDeviceOf(former, username);
  const origin = { device: deviceName(request), address: clientAddress(request), isKnownDevice };
  await startUserSession(db, keyedHash(token), user, { ...origin, ...proof, sharedComputer });
  await endSession(db, request);
  const device = sharedComputer ? [] : [await serializeDeviceOfUser(username, former)];
  return [await tokenCookie(token, sharedComputer), ...device];
}

/** Sets a cookie with a new token once the password was entered again; the former one ends. Throws 'unauthorized'. */
export async function replaceSessionToken<Person extends Actor>(db: Db, actor: Person): Promise<Person> {
  const token = newToken();
  const sessionId = keyedHash(token);
  const { sharedComputer } = await proveSessionUnderNewId(db, actor, sessionId);
  noteRenewedSession(actor.sessionId, sessionId);
  setCookie(await tokenCookie(token, sharedComputer));
  return { ...actor, sessionId };
}

export async function endSession(db: Db, request: Request): Promise<string> {
  const id = await readSessionId(request);
  if (id !== undefined) await revokeSession(db, id);
  return sessionCookie.serialize('', { maxAge: 0 });
}

/** Returns true if this server signed the cookie, whatever became of its session. */
export async function hasSessionCookie(request: Request): Promise<boolean> {
  return (await readSessionId(request)) !== undefined;
}

/** Returns the keyed hash of the cookie's token, whatever became of its session. */
export async function readSessionId(request: Request): Promise<string | undefined> {
  const cookie = await readSessionCookie(request.headers.get('cookie'));
  return cookie && currentSessionId(keyedHash(cookie.token, cookie.secret));
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Makes the cookie; on a shared computer it goes when the browser is closed. */
function tokenCookie(token: string, sharedComputer: boolean): Promise<string> {
  return sessionCookie.serialize(token, sharedComputer ? {} : { maxAge: MAX_SESSION_LIFE_S });
}

/** Hashes the token with the secret in force at sign-in, which has signed the cookie, too. */
function keyedHash(token: string, secret = env.SESSION_SECRET): string {
  return createHmac('sha256', secret).update(token).digest('base64url');
}

const running = new WeakMap<RequestContext, Map<string, Promise<unknown>>>();

/** Runs `work` once for all that ask for `key` while it runs in one request, as the loaders of root and screen do. */
export function shareInRequest<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const context = requestContext();
  if (!context) return work();
  const results: Map<string, Promise<unknown>> = running.get(context) ?? new Map<string, Promise<unknown>>();
  running.set(context, results);
  const known = results.get(key);
  if (known) return known as Promise<Result>;
  const result = work().finally(() => results.delete(key));
  results.set(key, result);
  return result;
}

/** Ends the session, records who signed out, and returns the Set-Cookie value that clears the cookie. */
export async function signOut(request: Request): Promise<string> {
  const actor = await findSessionUser(db, request);
  const cookie = await endSession(db, request);
  if (actor)
    recorder.record({
      action: 'signed out',
      userId: actor.id,
      schoolId: actor.schoolId,
      subject: 'user',
      subjectId: actor.id,
    });
  return cookie;
}
