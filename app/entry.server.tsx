import { randomBytes } from 'node:crypto';
import type { EntryContext, HandleErrorFunction } from '@remix-run/node';
import { isRouteErrorResponse, RemixServer } from '@remix-run/react';
import { renderToString } from 'react-dom/server';
import { db } from '#app/server/db.server.ts';
import { startBackgroundJobs } from '#app/background/start.server.ts';
import { contentSecurityPolicy, applySecurityHeaders } from '#app/server/security-headers.server.ts';
import { patchServer } from '#app/server/remix-serve/patch-remix-serve.server.ts';
import { log } from '#app/server/log.server.ts';
import { NonceProvider } from '#app/ui/page/nonce.ts';

patchServer();
startBackgroundJobs(db);

/** Renders a document whole: nothing here is deferred, and no page of ours is kept in a cache (C28). */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
): Promise<Response> {
  await readHandoff(remixContext);
  const nonce = randomBytes(16).toString('base64');
  const html = renderToString(
    <NonceProvider value={nonce}>
      <RemixServer context={remixContext} url={request.url} nonce={nonce} />
    </NonceProvider>,
  );
  headers.set('content-type', 'text/html; charset=utf-8');
  headers.set('content-security-policy', contentSecurityPolicy(nonce));
  return new Response(`<!DOCTYPE html>${html}`, { status, headers: applySecurityHeaders(headers) });
}

/**
 * renderToString waits for nothing, and the scripts start from data that RemixServer means to stream behind the page.
 * Read beforehand into the place where RemixServer looks first, it stands in the page itself.
 */
async function readHandoff({ serverHandoffStream, renderMeta }: EntryContext): Promise<void> {
  if (!serverHandoffStream || !renderMeta) return;
  const parts: NonNullable<typeof renderMeta.streamCache> = (renderMeta.streamCache = {});
  const reader = serverHandoffStream.getReader();
  const decoder = new TextDecoder();
  for (let at = 0, done = false; !done; at++) {
    const part = await reader.read();
    done = part.done;
    parts[at] = Object.assign(Promise.resolve(), {
      result: { done, value: decoder.decode(part.value, { stream: !done }) },
    });
  }
  reader.releaseLock();
}

/** What client navigation fetches is as private as the page. */
export function handleDataRequest(response: Response): Response {
  applySecurityHeaders(response.headers);
  return response;
}

export const handleError: HandleErrorFunction = (error, { request }) => {
  // What is wrong with a request, such as its method, is told to who sent it.
  if (isRouteErrorResponse(error) && error.status < 500) return;
  if (!request.signal.aborted) log.error({ err: error, path: new URL(request.url).pathname }, 'a page failed');
};
