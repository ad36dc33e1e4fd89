import type { IncomingMessage, ServerResponse } from 'node:http';
import { MAX_PATH_BYTES } from '#app/limits.ts';
import { log } from '../log.server.ts';
import { redactUrl } from '../remix-serve/redact-url.server.ts';
import { contextOf } from './request-context.server.ts';
import { routePatternOf } from './route-patterns.server.ts';

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
