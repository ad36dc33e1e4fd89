import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { env } from '#app/env.server.ts';
import { normalizeRequest } from './normalize-request.server.ts';
import { OpenRequests, isRequestMessage } from './open-requests.server.ts';
import { redactUrl } from './redact-url.server.ts';
import { onShutdown } from './shutdown.server.ts';

declare global {
  /** Of the process: a dev server loads this file many times. */
  var serverPatched: true | undefined;
}

const nodeRequire = createRequire(import.meta.url);

/** Amends remix-serve, once a process, before its first request. */
export function patchServer(): void {
  if (globalThis.serverPatched) return;
  globalThis.serverPatched = true;
  trackRequests();
  redactRequestLog();
  respectBackPressure();
}

/** Sees every request before anything else does, and lets the last answer finish at shutdown. */
function trackRequests(): void {
  const exchanges = new OpenRequests();
  subscribe('http.server.request.start', (message) => {
    if (!isRequestMessage(message)) return;
    normalizeRequest(message.request, env);
    exchanges.add(message);
  });
  onShutdown('work', () => exchanges.drain());
}

/** remix-serve has morgan log every request with its whole URL: invitation tokens, searches. */
function redactRequestLog(): void {
  const serveRequire = createRequire(nodeRequire.resolve('@remix-run/serve/package.json'));
  const morgan: { token(name: string, read: (request: IncomingMessage) => string): void } = serveRequire('morgan');
  morgan.token('url', (request) => redactUrl(request.url ?? ''));
}

/**
 * Remix writes a stream as fast as it can read it, and reads on when nobody listens any more. This one waits for the
 * listener, and cancels the source when they leave.
 */
function respectBackPressure(): void {
  const remixNode: Record<string, unknown> = nodeRequire('@remix-run/node');
  remixNode.writeReadableStreamToWritable = async (stream: ReadableStream, writable: Writable) => {
    try {
      await pipeline(Readable.fromWeb(stream), writable);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE')) throw error;
    }
  };
}
