import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import type { FailureCause } from './failure-cause.ts';

/** Facts about a request in progress, for the log and the metrics. */
export interface RequestContext {
  reqId: string;
  user?: number;
  school?: number | null;
  /** Cause of the first error that nobody asked for, even if only a part of the page failed. */
  cause?: FailureCause;
  /** The session that got a new token, for the loaders that run after the action. */
  renewed?: { formerId: string | undefined; id: string };
}

declare global {
  /** The variable is global, since the dev server loads this module repeatedly. */
  var requestContexts: AsyncLocalStorage<RequestContext> | undefined;
}

const contexts = (globalThis.requestContexts ??= new AsyncLocalStorage<RequestContext>());
const byRequest = new WeakMap<IncomingMessage, RequestContext>();

/** Returns the context of a request whose id has been set; the same at every call. */
export function contextOf(request: IncomingMessage): RequestContext {
  const known = byRequest.get(request);
  if (known) return known;
  const context = { reqId: String(request.headers['x-request-id']) };
  byRequest.set(request, context);
  return context;
}

export function runInRequestContext<Result>(request: IncomingMessage, work: () => Result): Result {
  return inContext(contextOf(request), work);
}

export function inContext<Result>(context: RequestContext, work: () => Result): Result {
  return contexts.run(context, work);
}

export function noteRenewedSession(formerId: string | undefined, id: string): void {
  const context = contexts.getStore();
  if (context) context.renewed = { formerId, id };
}

/** Returns the session's present id, although the request came with its former token. */
export function currentSessionId(id: string): string {
  const renewed = contexts.getStore()?.renewed;
  return renewed?.formerId === id ? renewed.id : id;
}

/** Returns the context; undefined outside of a request, as in a background job. */
export function requestContext(): RequestContext | undefined {
  return contexts.getStore();
}

export function noteRequestUser(actor: { id: number; schoolId: number | null } | undefined): void {
  const context = contexts.getStore();
  if (context && actor) Object.assign(context, { user: actor.id, school: actor.schoolId });
}

export function noteCause(cause: FailureCause): void {
  const context = contexts.getStore();
  if (context) context.cause ??= cause;
}
