import { readFile } from 'node:fs/promises';
import { textResponse } from '#app/server/api/api-responses.server.ts';

/** The file lies beside those that are served, since those are cached for a year. */
const BUILT = 'build/service-worker.js';

/** Serves the service worker of this build; a browser asks for it anew whenever a page is opened. */
export async function loader(): Promise<Response> {
  const source = await readFile(BUILT, 'utf8').catch(() => undefined);
  if (source === undefined) return textResponse('Not Found', 404);
  return textResponse(source, 200, {
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-cache',
    // A worker's policy is its script's own.
    'content-security-policy': "default-src 'none'; connect-src 'self'",
  });
}
