import { type IncomingMessage, maxHeaderSize, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { Socket } from 'node:net';
import { texts } from '#app/domain/texts.ts';
import { DATABASE_RETRY_S, MIN_REQUEST_DATABASE_MS } from '#db/deadlines.ts';
import { withWaitingBudget } from '#db/waiting-budget.ts';
import { runInRequestContext } from '../observability/request-context.server.ts';
import { logUnreadable } from '../observability/request-log.server.ts';
import { Admission } from './admission.server.ts';
import { DEFAULT_HEADERS } from '../security-headers.server.ts';
import { findForeignHost, type HostSettings } from './find-foreign-host.server.ts';
import { findRefusal, type Refusal } from './find-refusal.server.ts';
import { answerHealthCheck, isHealthCheck } from './health-check.server.ts';
import { isSignIn, SignInFloods } from './sign-in-floods.server.ts';
import { limitSlowBody, limitSlowRequests } from './slow-requests.server.ts';

const UNREADABLE: Refusal = { status: 400, text: 'This request cannot be read.' };
const TOO_SLOW: Refusal = { status: 408, text: 'This request took too long.' };
const CROWDED: Refusal = {
  status: 503,
  text: texts.tooBusy,
  headers: { 'retry-after': String(DATABASE_RETRY_S) },
};
const UNREADABLE_BY_CODE: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: { status: 431, text: `The headers of a request may have ${maxHeaderSize} bytes at most.` },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, text: 'This is too large to be sent.' },
  ERR_HTTP_REQUEST_TIMEOUT: TOO_SLOW,
};

/** Answers what is refused in place of the server's listeners, also the request that has just begun. */
export function refuseRequests(server: Server, settings: HostSettings & { DATABASE_WAIT_MS: number }): void {
  const listeners = server.listeners('request');
  const floods = new SignInFloods();
  const admission = new Admission();
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.removeAllListeners('request');
  limitSlowRequests(server);
  const pass = (request: IncomingMessage, response: ServerResponse) => {
    for (const listener of listeners) Reflect.apply(listener, server, [request, response]);
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    answers.set(request.socket, response);
    if (isHealthCheck(request)) return answerHealthCheck(response);
    limitSlowBody(request, response, () => refuseUnreadable(request.socket, TOO_SLOW));
    const answer = (refusal: Refusal | undefined) => {
      if (refusal) response.writeHead(refusal.status, headersOf(refusal)).end(refusal.text);
      // Sign-ins wait for the hash of their password, which must not keep others from being let in.
      else if (isSignIn(request)) withWaitingBudget(settings.DATABASE_WAIT_MS, () => pass(request, response));
      else
        void admission.admit(request, response, {
          begin: (idleMs) =>
            withWaitingBudget(budgetAfter(idleMs, settings.DATABASE_WAIT_MS), () => pass(request, response)),
          refuse: isForm(request) ? undefined : () => answer(CROWDED),
        });
    };
    const refusal = findRefusal(request) ?? findForeignHost(request, settings);
    runInRequestContext(request, () => {
      if (refusal || !isSignIn(request)) answer(refusal);
      else void floods.findRefusal(request, response).then((found) => response.destroyed || answer(found));
    });
  });
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    const answer = answers.get(socket);
    if (!socket.writable || (answer?.headersSent && !answer.writableFinished)) socket.destroy(error);
    else refuseUnreadable(socket, UNREADABLE_BY_CODE[error.code ?? ''] ?? UNREADABLE, error);
  });
}

function isForm({ method, headers }: IncomingMessage): boolean {
  return method === 'POST' && /form/i.test(headers['content-type'] ?? '');
}

/** Of what cannot be read there is no request that could have an id. */
function refuseUnreadable(socket: Duplex, refusal: Refusal, error?: Error): void {
  const reqId = randomUUID();
  logUnreadable(reqId, socket instanceof Socket ? socket.remoteAddress : undefined, refusal.status);
  socket.end(toMessage({ ...refusal, headers: { 'x-request-id': reqId } }), () => socket.destroy(error));
}

function budgetAfter(waitedMs: number, limitMs: number): number {
  return Math.max(Math.min(MIN_REQUEST_DATABASE_MS, limitMs), limitMs - waitedMs);
}

function toMessage(refusal: Refusal): string {
  const headers = Object.entries({ ...headersOf(refusal), connection: 'close' });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines}\r\n${refusal.text}`;
}

function headersOf({ text, headers }: Refusal): Record<string, string> {
  const length = String(Buffer.byteLength(text));
  return { ...DEFAULT_HEADERS, 'content-type': 'text/plain; charset=utf-8', 'content-length': length, ...headers };
}
