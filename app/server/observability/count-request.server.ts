import type { IncomingMessage } from 'node:http';
import { isSignIn } from '../remix-serve/sign-in-floods.server.ts';
import { causeOfStatus } from './failure-cause.ts';
import type { Metrics } from './metrics.server.ts';
import { contextOf } from './request-context.server.ts';
import type { EndedRequest } from './request-log.server.ts';

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
