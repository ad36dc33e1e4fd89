import type { IncomingMessage, ServerResponse } from 'node:http';
import { MAX_PATH_BYTES } from '#app/limits.ts';
import { redactUrl } from './redact-url.server.ts';

/** Writes a line of JSON once the response has ended, whoever gave it: never a query, a body or a token. */
export function logRequest(request: IncomingMessage, response: ServerResponse): void {
  const started = performance.now();
  response.once('close', () => {
    const line = {
      level: 30,
      time: Date.now(),
      address: request.headers['x-client-address'],
      requestId: request.headers['x-request-id'],
      method: request.method,
      path: redactUrl(request.url ?? '').slice(0, MAX_PATH_BYTES),
      // Absent where the client left before the response.
      status: response.headersSent ? response.statusCode : undefined,
      milliseconds: Math.round(performance.now() - started),
      msg: 'request',
    };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  });
}
