import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import compression from 'compression';
import {
  DATABASE_RETRY_AFTER_SECONDS,
  MIN_REQUEST_DATABASE_MS,
  REQUEST_BODY_MS,
  REQUEST_HEADERS_MS,
  SHUTDOWN_IDLE_CONNECTION_MS,
} from '#db/deadlines.ts';
import { withWaitingBudget } from '#db/waiting-budget.ts';
import { texts } from '#app/domain/texts.ts';
import { env } from '#app/env.server.ts';
import { contextOf, runInRequestContext } from '../observability/request-context.server.ts';
import { countRequest, type EndedRequest, logRequest } from '../observability/request-log.server.ts';
import { DEFAULT_HEADERS } from '../security-headers.server.ts';
import { log } from '../log.server.ts';
import { droppedPromisesChannel } from '../observability/dropped-promises.ts';
import { startMetrics } from '../observability/metrics-listener.server.ts';
import { Admission } from './admission.server.ts';
import { endSlowBody, refuse, refuseUnreadable, TOO_SLOW } from './exchange.server.ts';
import { findRefusal, HEALTHY, type HostSettings, isHealthCheck, type Refusal } from './find-refusal.server.ts';
import { normalizeRequest } from './normalize-request.server.ts';
import { isSignIn, SignInFloods } from './sign-in-floods.server.ts';
import { onShutdown, OpenRequests } from './shutdown.server.ts';

const CROWDED: Refusal = {
  status: 503,
  text: texts.tooBusy,
  headers: { 'retry-after': String(DATABASE_RETRY_AFTER_SECONDS) },
};

export interface FrontHandlers {
  /** Sends the file of this address, or calls `next`, at once or after its look. */
  sendFile?: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
  answer: (request: IncomingMessage, response: ServerResponse) => unknown;
}

interface Watch {
  open: OpenRequests;
  count: (request: IncomingMessage, facts: EndedRequest) => void;
}

/** A server whose every request meets the steps of `enter` and `letIn` from top to bottom, until one of them answers it. */
export function createFront(
  settings: HostSettings & { TRUST_PROXY: number; DATABASE_WAIT_MS: number },
  { answer, sendFile = (_request, _response, next) => next() }: FrontHandlers,
  { open, count }: Watch = { open: new OpenRequests(), count: () => {} },
): Server {
  const compress = compression();
  const floods = new SignInFloods();
  const admission = new Admission();
  const responses = new WeakMap<Duplex, ServerResponse>();
  // Node refuses slow headers by itself; a request without a Host is refused here, in our words.
  const limits = { headersTimeout: REQUEST_HEADERS_MS, requestTimeout: REQUEST_BODY_MS, requireHostHeader: false };
  const server = createServer(limits, enter);
  server.on('checkExpectation', enter);
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    const response = responses.get(socket);
    if (!socket.writable || (response?.headersSent && !response.writableFinished)) socket.destroy(error);
    else refuseUnreadable(socket, error);
  });
  return server;

  function enter(request: IncomingMessage, response: ServerResponse): void {
    // Who asks, for what, and under which id.
    normalizeRequest(request, settings);
    // A line in the log when it ends, whatever its end; shutdown waits for it.
    responses.set(request.socket, response);
    response.setMaxListeners(20);
    logRequest(request, response, count);
    open.add(response);
    // The headers of every response, which an answer may replace by its own.
    response.setHeader('x-request-id', contextOf(request).reqId);
    for (const [name, value] of Object.entries(DEFAULT_HEADERS)) response.setHeader(name, value);
    // Liveness is asked for every few seconds, also of a server that has much to do.
    if (isHealthCheck(request)) return void response.writeHead(200, HEALTHY.headers).end(HEALTHY.text);
    // Framing, method, size of the address, host.
    const refusal = findRefusal(request, settings);
    if (refusal) return refuse(response, refusal);
    endSlowBody(request, response, () => refuseUnreadable(request.socket, undefined, TOO_SLOW));
    runInRequestContext(request, () =>
      compress(request, response, () => sendFile(request, response, () => void letIn(request, response))),
    );
  }

  async function letIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const begin = (limitMs: number) => void withWaitingBudget(limitMs, () => answer(request, response));
    // Sign-ins wait for the hash of their password, which must not keep others from being let in.
    if (isSignIn(request)) {
      const flood = await floods.findRefusal(request, response);
      if (response.destroyed) return;
      return flood ? refuse(response, flood) : begin(settings.DATABASE_WAIT_MS);
    }
    void admission.admit(request, response, {
      begin: (idleMs) => begin(budgetAfter(idleMs, settings.DATABASE_WAIT_MS)),
      // A form waits on, so that what was typed is not lost.
      refuse: isForm(request) ? undefined : () => refuse(response, CROWDED),
    });
  }
}

function budgetAfter(waitedMs: number, limitMs: number): number {
  return Math.max(Math.min(MIN_REQUEST_DATABASE_MS, limitMs), limitMs - waitedMs);
}

function isForm({ method, headers }: IncomingMessage): boolean {
  return method === 'POST' && /form/i.test(headers['content-type'] ?? '');
}

/** The server of this process, counted in its metrics; it drains when the process ends. */
export function createFrontOfProcess(inside: FrontHandlers): Server {
  const metrics = startMetrics();
  const open = new OpenRequests();
  const server = createFront(env, inside, {
    open,
    count: (request, ended) => metrics && countRequest(metrics, request, ended),
  });
  onShutdown('announcement', () => {
    open.closeConnections();
    return sleep(env.SHUTDOWN_GRACE_MS);
  });
  onShutdown('work', () => open.drain(server, env.TRUST_PROXY > 0 ? SHUTDOWN_IDLE_CONNECTION_MS : 0));
  droppedPromisesChannel.subscribe((error) => {
    log.error({ err: error, cause: 'defect' }, 'a promise failed that nobody waited for');
    metrics?.errors.inc({ cause: 'defect' });
  });
  return server;
}
