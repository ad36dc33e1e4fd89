import { randomUUID } from 'node:crypto';
import { AppError } from '#app/domain/app-error.ts';
import type { Action } from '#app/domain/audit/actions.ts';
import { type EventOrigin, eventOrigin, withEventOrigin } from '#app/domain/audit/event-origin.server.ts';
import { texts } from '#app/domain/texts.ts';
import { env } from '#app/env.server.ts';
import { MAX_EVENT_PATH_CHARACTERS } from '#app/limits.ts';
import { withWaitingBudget } from '#db/waiting-budget.ts';
import { clientAddress } from './client-address.server.ts';
import { db } from './db.server.ts';
import { recorder } from './event-recorder.server.ts';
import { redactUrl } from './observability/request-log.server.ts';
import { findSessionUser } from './session/session.server.ts';

/** Lets events name the request they belong to, and bounds what the request waits for the database. */
export function withRequestEvents<Result>(request: Request, work: () => Result): Result {
  const path = redactUrl(new URL(request.url).pathname).slice(0, MAX_EVENT_PATH_CHARACTERS);
  const requestId = request.headers.get('x-request-id') ?? randomUUID();
  const origin = { address: clientAddress(request), requestId, method: request.method, path };
  return withWaitingBudget(env.DATABASE_WAIT_MS, () => withEventOrigin(origin, work));
}

/** Records who was refused what, if the error is a refusal; with the request also before its session was read. */
export function recordRefusal(error: unknown, request?: Request): void {
  const origin = eventOrigin();
  const action = origin && refusalOf(error, origin);
  if (!action) return;
  origin.isRefused = true;
  const after = { method: origin.method, path: origin.path };
  recorder.later(async () => {
    if (request && !origin.actor) await withEventOrigin(origin, () => findSessionUser(db, request));
    const { actor } = origin;
    const [userId, schoolId] = [actor?.id ?? null, actor?.schoolId ?? null];
    recorder.record({ action, userId, schoolId, subject: 'request', after, outcome: 'refused' }, origin);
  });
}

/** Returns the action to record. An id of another school is not found, like one that never was. */
function refusalOf(error: unknown, { actor, isRefused }: EventOrigin): Action | undefined {
  if (!(error instanceof AppError)) return undefined;
  if (error.code === 'notFound') return actor && !isRefused ? 'refused unknown id' : undefined;
  if (error.code !== 'forbidden') return undefined;
  return error.message === texts.crossOrigin ? 'refused request from another site' : 'refused request';
}
