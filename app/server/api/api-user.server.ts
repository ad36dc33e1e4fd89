import type { Actor } from '#app/domain/actor.ts';
import { AppError } from '#app/domain/app-error.ts';
import { noteActor } from '#app/domain/audit/event-origin.server.ts';
import { scopeNeededText } from '#app/domain/people/access-tokens/access-token-texts.server.ts';
import { findTokenActor } from '#app/domain/people/access-tokens/access-tokens.server.ts';
import { permits, type TokenScope } from '#app/domain/people/access-tokens/scopes.ts';
import { texts } from '#app/domain/texts.ts';
import { db } from '../db.server.ts';
import { noteRequestUser } from '../observability/request-context.server.ts';
import { findSessionUser, hasSessionCookie } from '../session/session.server.ts';
import { spendTokenBudget } from './access-token-budget.server.ts';

const BEARER = /^Bearer +(?<token>[\w-]+) *$/i;

/** Finds the token's user, else the session's. Throws 'unauthorized', and 'forbidden' beyond the token's scope. */
export async function findApiUser(request: Request, acceptsFlyingToken: boolean): Promise<Actor> {
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

/** Returns the token; undefined for another scheme, as of a proxy that asks for a password of its own. */
function bearerToken({ headers }: Request): string | undefined {
  return BEARER.exec(headers.get('authorization') ?? '')?.groups?.token;
}

function scopeOf({ method }: Request, acceptsFlyingToken: boolean): TokenScope {
  if (method === 'GET' || method === 'HEAD') return 'read';
  return acceptsFlyingToken ? 'fly' : 'manage';
}

function assertScope({ scope }: { scope: TokenScope }, needed: TokenScope): void {
  if (!permits(scope, needed)) throw new AppError('forbidden', scopeNeededText(needed));
}
