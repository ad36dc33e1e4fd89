import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import expressStaticGzip from 'express-static-gzip';
import { z } from 'zod';
import { isFileName } from './find-refusal.server.ts';
import { refuse } from './refuse.server.ts';

const fileError = z.object({ status: z.number(), headers: z.record(z.string(), z.string()).optional() });

/** Sends a file of the build as the build compressed it, for ever; `next` is called where none is asked for or found. */
export function filesOf(folder: string) {
  const send = expressStaticGzip(folder, {
    enableBrotli: true,
    orderPreference: ['br', 'gzip'],
    index: false,
    serveStatic: { cacheControl: false, setHeaders: setFileHeaders },
  });
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    // No screen and no call is looked for among the files.
    if (!isFileName(path)) return next();
    // The package reads what Express would have set.
    Object.assign(request, { path });
    send(request, response, (error: unknown) => (error ? refuseFile(response, error) : next()));
  };
}

function setFileHeaders(response: ServerResponse, path: string): void {
  response.setHeader('cache-control', 'public, max-age=31536000, immutable');
  // The package names no charset for it.
  if (/\.svg(\.\w+)?$/.test(path)) response.setHeader('content-type', 'image/svg+xml; charset=utf-8');
}

/** A part that the file does not have, or a condition that it does not meet. */
function refuseFile(response: ServerResponse, error: unknown): void {
  const { status, headers } = fileError.catch({ status: 500 }).parse(error);
  for (const name of ['content-encoding', 'etag', 'last-modified']) response.removeHeader(name);
  refuse(response, { status, text: `${STATUS_CODES[status]}.`, headers: { ...headers, 'cache-control': 'no-store' } });
}
