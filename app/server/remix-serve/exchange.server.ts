import { randomUUID } from 'node:crypto';
import { type IncomingMessage, maxHeaderSize, type ServerResponse, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex, Writable } from 'node:stream';
import { createReadableStreamFromReadable } from '@remix-run/node';
import { REQUEST_BODY_IDLE_MS } from '#db/deadlines.ts';
import { wholeBodyOf } from '../api/api-responses.server.ts';
import { logUnreadable } from '../observability/request-log.server.ts';
import { DEFAULT_HEADERS } from '../security-headers.server.ts';
import { isHost, type Refusal, UNREADABLE } from './find-refusal.server.ts';

/** The request as loaders and actions read it, at APP_URL's host where it names none; its signal ends when its client leaves. */
export function toRequest(incoming: IncomingMessage, response: ServerResponse, appUrl: string): Request {
  const { method = 'GET', url = '/', headers } = incoming;
  const host = headers.host !== undefined && isHost(headers.host) ? headers.host : new URL(appUrl).host;
  const isSent = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  const hasBody = isSent && method !== 'GET' && method !== 'HEAD';
  return new Request(`http://${host}${url}`, {
    method,
    headers: Object.entries(headers).flatMap(([name, values = []]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    ),
    ...(hasBody && { body: createReadableStreamFromReadable(incoming), duplex: 'half' }),
    signal: signalOfLeaving(response),
  });
}

function signalOfLeaving(response: ServerResponse): AbortSignal {
  const left = new AbortController();
  const end = () => response.writableFinished || left.abort();
  if (response.destroyed) end();
  else response.once('close', end);
  return left.signal;
}

/** A text goes in one write, with its length. */
export async function sendResponse(answer: Response, response: ServerResponse): Promise<void> {
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) {
    if (name === 'set-cookie') response.appendHeader(name, value);
    else response.setHeader(name, value);
  }
  const bytes = wholeBodyOf(answer);
  if (bytes) response.setHeader('content-length', bytes.length).end(bytes);
  else if (answer.body) await sendStream(answer.body, response);
  else response.end();
}

/** Sends as fast as the client reads, and reads no further once the client has left. */
export async function sendStream(stream: ReadableStream<Uint8Array>, response: Writable): Promise<void> {
  const reader = stream.getReader();
  let goOn: (() => void) | undefined;
  let isEnded = false;
  // No 'drain' tells of a download that is broken off while its client reads nothing.
  const end = () => {
    isEnded = true;
    goOn?.();
  };
  reader.closed.then(end, end);
  response.on('drain', () => goOn?.());
  response.once('close', () => {
    goOn?.();
    void reader.cancel().catch(() => {});
  });
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      if (response.destroyed) return;
      if (!response.write(read.value) && !isEnded) await new Promise<void>((resolve) => (goOn = resolve));
    }
    response.end();
  } catch (error) {
    response.destroy();
    throw error;
  }
}

/** Calls `refuse` when the next byte of the body takes too long to come; Node bounds only the whole of it. */
export function endSlowBody(request: IncomingMessage, response: ServerResponse, refuse: () => void): void {
  if (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined) return;
  const { socket } = request;
  // A process that was busy reads first what has come meanwhile.
  const timer = setInterval(() => setImmediate(() => setImmediate(check)), REQUEST_BODY_IDLE_MS / 2).unref();
  let received = socket.bytesRead;
  let receivedAt = Date.now();
  function check() {
    if (request.complete) return clearInterval(timer);
    // Where bytes wait to be read here, nobody is late.
    if (socket.bytesRead !== received || request.readableLength > 0) {
      received = socket.bytesRead;
      receivedAt = Date.now();
    } else if (Date.now() - receivedAt >= REQUEST_BODY_IDLE_MS) {
      clearInterval(timer);
      if (!response.headersSent) refuse();
      else socket.destroy();
    }
  }
  for (const event of ['end', 'close']) request.once(event, () => clearInterval(timer));
}

export const TOO_SLOW: Refusal = { status: 408, text: 'This request took too long.' };

const BY_CODE: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: { status: 431, text: `The headers of a request may have ${maxHeaderSize} bytes at most.` },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, text: 'This is too large to be sent.' },
  ERR_HTTP_REQUEST_TIMEOUT: TOO_SLOW,
};

export function refuse(response: ServerResponse, refusal: Refusal): void {
  response.writeHead(refusal.status, headersOf(refusal)).end(refusal.text);
}

/** Answers on the connection itself, and ends it: what could not be read has no response. */
export function refuseUnreadable(
  socket: Duplex,
  error: (Error & { code?: string }) | undefined,
  refusal = BY_CODE[error?.code ?? ''] ?? UNREADABLE,
): void {
  const reqId = randomUUID();
  logUnreadable(reqId, socket instanceof Socket ? socket.remoteAddress : undefined, refusal.status);
  const headers = { ...DEFAULT_HEADERS, ...headersOf(refusal), 'x-request-id': reqId, connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}`;
  socket.end(`${head}\r\n${refusal.text}`, () => socket.destroy(error));
}

function headersOf({ text, headers }: Refusal): Record<string, string> {
  const length = String(Buffer.byteLength(text));
  return { 'content-type': 'text/plain; charset=utf-8', 'content-length': length, ...headers };
}
