import { createHmac, randomBytes } from 'node:crypto';
import type { Db } from '#db/connect.server.ts';
import type { Actor } from '#app/domain/actor.ts';
import { noteActor } from '#app/domain/audit/event-origin.server.ts';
import {
  findSessionActor,
  insertSession,
  proveSession,
  revokeSession,
  type StrongProof,
  type VerifiedUser,
} from '#app/domain/people/sessions.server.ts';
import { env } from '#app/env.server.ts';
import { MAX_SESSION_LIFE_S } from '#app/limits.ts';
import { clientAddress } from '../client-address.server.ts';
import { noteUser } from '../observability/request-context.server.ts';
import { shareInRequest } from '../query/share-in-request.server.ts';
import { deviceName } from './device-name.server.ts';
import { readSessionCookie, sessionCookie } from './cookies.server.ts';

export async function findSessionUser(db: Db, request: Request): Promise<Actor | undefined> {
  const id = await readSessionId(request);
  const actor = id === undefined ? undefined : await shareInRequest(`session ${id}`, () => findSessionActor(db, id));
  noteActor(actor);
  noteUser(actor);
  return actor;
}

/** Deletes what scripts have stored; not cookies, with the toast, and not the cache, with nothing private. */
export const CLEAR_SITE_DATA = { 'clear-site-data': '"storage"' };

/** Ends the former session and returns the Set-Cookie value. Throws 'unauthorized' after a new password. */
export async function startSession(
  db: Db,
  request: Request,
  user: VerifiedUser,
  { sharedComputer = false, ...proof }: StrongProof & { sharedComputer?: boolean | undefined } = {},
): Promise<string> {
  const token = newToken();
  const origin = { device: deviceName(request), address: clientAddress(request) };
  await insertSession(db, keyedHash(token), user, { ...origin, ...proof, sharedComputer });
  await endSession(db, request);
  return tokenCookie(token, sharedComputer);
}

/** After the password was entered again: the former token is good no more. Throws 'unauthorized'. */
export async function replaceSessionToken(db: Db, actor: Actor): Promise<{ actor: Actor; cookie: string }> {
  const token = newToken();
  const sessionId = keyedHash(token);
  const { sharedComputer } = await proveSession(db, actor, sessionId);
  return { actor: { ...actor, sessionId }, cookie: await tokenCookie(token, sharedComputer) };
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
  return cookie && keyedHash(cookie.token, cookie.secret);
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
