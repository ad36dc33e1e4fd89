import type { Actor } from '#app/domain/actor.ts';
import { AppError } from '#app/domain/app-error.ts';
import { noteActor } from '#app/domain/audit/event-origin.server.ts';
import { accessTokenTexts, scopeNeededText } from '#app/domain/people/access-tokens/schema.server.ts';
import { findTokenActor } from '#app/domain/people/access-tokens/access-tokens.server.ts';
import { scopePermits, type TokenScope } from '#app/domain/people/access-tokens/scopes.ts';
import { texts } from '#app/domain/texts.ts';
import { Limiter } from '#app/domain/limiter.server.ts';
import { ACCESS_TOKEN_WINDOW_MS, MAX_ACCESS_TOKEN_REQUESTS } from '#app/limits.ts';
import { db } from '../db.server.ts';
import { noteRequestUser } from '../observability/request-context.server.ts';
import { findSessionUser, hasSessionCookie } from '../session/session.server.ts';

const BEARER = /^Bearer +(?<token>[\w-]+) *$/i;

/** Finds the token's user, else the session's. Throws 'unauthorized', and 'forbidden' beyond the token's scope. */
export async function requireApiUser(request: Request, acceptsFlyingToken: boolean): Promise<Actor> {
  const token = bearerToken(request);
  const actor = await (token === undefined ? findSessionUser(db, request) : findTokenActor(db, token));
  if (!actor) throw new AppError('unauthorized', texts.unauthorized);
  if (actor.token) {
    noteActor(actor);
    noteRequestUser(actor);
    spendTokenBudget(request, actor.token.id);
    assertScope(actor.token, scopeOf(request, acceptsFlyingToken));
  }
  return actor;
}

/** Throws 'unauthorized' for a stranger, before a body is kept in memory. */
export async function assertCredentials(request: Request): Promise<void> {
  const token = bearerToken(request);
  const isKnown = token === undefined ? await hasSessionCookie(request) : await findTokenActor(db, token);
  if (!isKnown) throw new AppError('unauthorized', texts.unauthorized);
}

/** Calls and the photos that they name; what a browser asks for by itself takes no token. */
const TAKES_TOKENS = /^\/(api|photos)\//;

/** Returns the token; undefined for another scheme, as of a proxy that asks for a password of its own. */
function bearerToken({ headers, url }: Request): string | undefined {
  if (!TAKES_TOKENS.test(new URL(url).pathname)) return undefined;
  return BEARER.exec(headers.get('authorization') ?? '')?.groups?.token;
}

function scopeOf({ method }: Request, acceptsFlyingToken: boolean): TokenScope {
  if (method === 'GET' || method === 'HEAD') return 'read';
  return acceptsFlyingToken ? 'fly' : 'manage';
}

function assertScope({ scope }: { scope: TokenScope }, needed: TokenScope): void {
  if (!scopePermits(scope, needed)) throw new AppError('forbidden', scopeNeededText(needed));
}

const limiter = new Limiter(MAX_ACCESS_TOKEN_REQUESTS, ACCESS_TOKEN_WINDOW_MS);
const counted = new WeakMap<Request, { left: number; secondsLeft: number }>();

/** Counts the request against its token's minute. Throws 'tooMany'. */
export function spendTokenBudget(request: Request, tokenId: number): void {
  const spent = limiter.count(String(tokenId));
  counted.set(request, spent);
  if (spent.left < 0) throw new AppError('tooMany', accessTokenTexts.tooManyRequests).retryAfter(spent.secondsLeft);
}

/** Returns what is left of the minute, in the IETF draft's RateLimit header fields; none without a token. */
export function budgetHeaders(request: Request): Record<string, string> {
  const spent = counted.get(request);
  if (!spent) return {};
  return {
    'ratelimit-policy': `"token";q=${MAX_ACCESS_TOKEN_REQUESTS};w=${ACCESS_TOKEN_WINDOW_MS / 1000}`,
    ratelimit: `"token";r=${Math.max(spent.left, 0)};t=${spent.secondsLeft}`,
  };
}
