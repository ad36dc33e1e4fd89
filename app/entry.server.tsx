import { randomBytes } from 'node:crypto';
import type { EntryContext, HandleErrorFunction } from '@remix-run/node';
import { isRouteErrorResponse, RemixServer } from '@remix-run/react';
import { renderToString } from 'react-dom/server';
import { DATABASE_RETRY_S } from '#db/deadlines.ts';
import { db } from '#app/server/db.server.ts';
import { startBackgroundJobs } from '#app/background/start.server.ts';
import { textResponse } from '#app/server/api/api-responses.server.ts';
import { contentSecurityPolicy, applySecurityHeaders } from '#app/server/security-headers.server.ts';
import { patchRemixServe } from '#app/server/remix-serve/patch-remix-serve.server.ts';
import { log } from '#app/server/log.server.ts';
import { NonceProvider } from '#app/ui/page/nonce.ts';

const NOT_FOUND = 404;
const UNAVAILABLE = 503;

patchRemixServe();
startBackgroundJobs(db);

/** Renders to a string: no loader defers data, so streaming would gain nothing. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
): Promise<Response> {
  const refusal = refusalOfUnknownPath(status, remixContext);
  if (refusal !== undefined) return textResponse(refusal, status, headers);
  await preloadHandoffStream(remixContext);
  const nonce = randomBytes(16).toString('base64');
  const html = renderToString(
    <NonceProvider value={nonce}>
      <RemixServer context={remixContext} url={request.url} nonce={nonce} />
    </NonceProvider>,
  );
  addRetryAfter(status, headers);
  headers.set('content-type', 'text/html; charset=utf-8');
  headers.set('content-security-policy', contentSecurityPolicy(nonce));
  return new Response(`<!DOCTYPE html>${html}`, { status, headers: applySecurityHeaders(headers) });
}

/** The text of a refused write to an address without a route, for which a page would be too dear. */
function refusalOfUnknownPath(status: number, { staticHandlerContext }: EntryContext): string | undefined {
  const isUnknown = staticHandlerContext.matches.at(-1)?.route.path === '*';
  const [error] = Object.values(staticHandlerContext.errors ?? {});
  if (!isUnknown || status === NOT_FOUND || !isRouteErrorResponse(error)) return undefined;
  return String(error.data);
}

/** Fills RemixServer's cache with the loader data that it would stream, since renderToString cannot wait for it. */
async function preloadHandoffStream({ serverHandoffStream, renderMeta }: EntryContext): Promise<void> {
  if (!serverHandoffStream || !renderMeta) return;
  const cache: NonNullable<typeof renderMeta.streamCache> = (renderMeta.streamCache = {});
  const reader = serverHandoffStream.getReader();
  const decoder = new TextDecoder();
  for (let index = 0, done = false; !done; index++) {
    const chunk = await reader.read();
    done = chunk.done;
    cache[index] = Object.assign(Promise.resolve(), {
      result: { done, value: decoder.decode(chunk.value, { stream: !done }) },
    });
  }
  reader.releaseLock();
}

export function handleDataRequest(response: Response): Response {
  // Remix names no charset.
  if (response.headers.get('content-type') === 'text/x-script') {
    response.headers.set('content-type', 'text/x-script; charset=utf-8');
  }
  addRetryAfter(response.status, response.headers);
  applySecurityHeaders(response.headers);
  return response;
}

/** Remix drops the headers of what a loader throws. */
function addRetryAfter(status: number, headers: Headers): void {
  if (status === UNAVAILABLE && !headers.has('retry-after')) headers.set('retry-after', String(DATABASE_RETRY_S));
}

export const handleError: HandleErrorFunction = (error, { request }) => {
  // An error of the client is in the response already.
  if (isRouteErrorResponse(error) && error.status < 500) return;
  if (!request.signal.aborted) log.error({ err: error, path: new URL(request.url).pathname }, 'a page failed');
};
