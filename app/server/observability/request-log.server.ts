import type { IncomingMessage, ServerResponse } from 'node:http';
import { MAX_PATH_BYTES } from '#app/limits.ts';
import { log } from '../log.server.ts';
import { isSignIn } from '../remix-serve/sign-in-floods.server.ts';
import { contextOf } from './request-context.server.ts';
import { routePatternOf } from './route-patterns.server.ts';
import { causeOfStatus } from './failure-cause.ts';
import type { Metrics } from './metrics.server.ts';

export interface EndedRequest {
  route: string;
  method: string;
  /** Undefined if the client left before the response. */
  status: number | undefined;
  ms: number;
}

/** Writes a line of JSON once the response has ended, whoever gave it: never a query, a body or a token. */
export function logRequest(
  request: IncomingMessage,
  response: ServerResponse,
  ended: (request: IncomingMessage, facts: EndedRequest) => void,
): void {
  const started = performance.now();
  response.once('close', () => {
    const facts = {
      method: request.method ?? '',
      route: routePatternOf(request.url ?? ''),
      status: response.headersSent ? response.statusCode : undefined,
      ms: Math.round(performance.now() - started),
    };
    const path = redactUrl(request.url ?? '').slice(0, MAX_PATH_BYTES);
    log.info({ ...contextOf(request), address: request.headers['x-client-address'], ...facts, path }, 'request');
    ended(request, facts);
  });
}

/** Logs bytes that were refused before they could be read as a request. */
export function logUnreadable(reqId: string, address: string | undefined, status: number): void {
  log.info({ reqId, address, status }, 'request');
}

const REFUSED_SIGN_IN = [401, 429];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];
/** The probe's 503 is an answer, and no failure. */
const READINESS = '/readyz';

export function countRequest(metrics: Metrics, request: IncomingMessage, { route, method, status, ms }: EndedRequest) {
  const labels = {
    route,
    method: METHODS.includes(method) ? method : 'other',
    status: status === undefined ? 'left' : `${Math.floor(status / 100)}xx`,
  };
  metrics.requests.observe(labels, ms / 1000);
  const cause = contextOf(request).cause ?? causeOfStatus(status ?? 0);
  if (cause && route !== READINESS) metrics.errors.inc({ cause });
  if (REFUSED_SIGN_IN.includes(status ?? 0) && isSignIn(request)) metrics.signInsRefused.inc();
}

/** A request's path for the log: without its query, and with dots instead of tokens. */
export function redactUrl(target: string): string {
  const [path = ''] = target.split(/[?#]/, 1);
  return path
    .replace(/^(\/api\/invitations\/)(?!\d+$).+/, '$1...')
    .replace(/^(\/calendar\/).+/, '$1...')
    .replace(/[\w%-]{32,}/g, '...');
}
