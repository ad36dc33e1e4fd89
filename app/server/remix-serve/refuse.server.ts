import { randomUUID } from 'node:crypto';
import { maxHeaderSize, type ServerResponse, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { logUnreadable } from '../observability/request-log.server.ts';
import { DEFAULT_HEADERS } from '../security-headers.server.ts';
import { type Refusal, UNREADABLE } from './find-refusal.server.ts';

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
