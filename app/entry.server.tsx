import { randomBytes } from 'node:crypto';
import type { AppLoadContext, EntryContext, HandleErrorFunction } from '@remix-run/node';
import { isRouteErrorResponse, RemixServer } from '@remix-run/react';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { z } from 'zod';
import { DATABASE_RETRY_AFTER_SECONDS } from '#db/deadlines.ts';
import { formatTime } from '#app/domain/format.server.ts';
import { texts } from '#app/domain/texts.ts';
import { env } from '#app/env.server.ts';
import { db } from '#app/server/db.server.ts';
import { startBackgroundJobs } from '#app/background/start.server.ts';
import { textResponse } from '#app/server/api/api-responses.server.ts';
import { contentSecurityPolicy, scriptlessPolicy } from '#app/server/security-headers.server.ts';
import { findStylesToInline } from '#app/server/document/inline-styles.server.ts';
import { isFileName } from '#app/server/remix-serve/find-refusal.server.ts';
import { findPostedForm, type PostedForm } from '#app/server/posted-forms.server.ts';
import { log } from '#app/server/log.server.ts';
import { failureCauseOf } from '#app/server/observability/failure-cause.ts';
import { noteCause } from '#app/server/observability/request-context.server.ts';
import { AS_OF_HEADER, FOR_KEEPING_HEADER, KEPT_FOR_HEADER } from '#app/service-worker/requests.ts';
import { pathAndQuery } from '#app/server/query-values.server.ts';
import { redactUrl } from '#app/server/observability/request-log.server.ts';
import { NonceProvider, InlineStylesProvider } from '#app/ui/page/styles.tsx';
import { ReferenceProvider } from '#app/ui/page/reference.tsx';
import { SendAgainPage } from '#app/ui/page/send-again-page.tsx';

const NOT_FOUND = 404;
const TOO_MANY = 429;
const SERVER_ERROR = 500;
const UNAVAILABLE = 503;
const RETRY_AFTER = 'retry-after';

startBackgroundJobs(db);

/** Renders to a string: no loader defers data, so streaming would gain nothing, and costs a tenth more (docs/decisions/207). */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  loadContext: AppLoadContext,
): Promise<Response> {
  const failure = failureOf(remixContext);
  const posted = failure && findPostedForm(loadContext);
  if (posted) return sendAgainResponse(request, { ...failure, posted });
  const refusal = refusalOfUnknownPath(request, status, remixContext);
  if (refusal !== undefined) return textResponse(refusal, status, headers);
  const nonce = randomBytes(16).toString('base64');
  const styles = findStylesToInline(request);
  await preloadPageData(remixContext);
  const html = renderToString(
    <NonceProvider value={nonce}>
      <ReferenceProvider value={request.headers.get('x-request-id') ?? undefined}>
        <InlineStylesProvider value={styles?.text}>
          <RemixServer context={remixContext} url={request.url} nonce={nonce} />
        </InlineStylesProvider>
      </ReferenceProvider>
    </NonceProvider>,
  );
  const viewer = findViewer(remixContext);
  headers.set(KEPT_FOR_HEADER, viewer?.deviceOwner ?? '');
  if (viewer && request.headers.has(FOR_KEEPING_HEADER))
    headers.set(AS_OF_HEADER, formatTime(new Date(), viewer.timeZone).text);
  headers.set('content-security-policy', contentSecurityPolicy(nonce, styles?.hash));
  keepRetryAfter(remixContext, headers);
  return documentResponse(html, status, headers);
}

/** Remix keeps the headers of an action only where its route says so. */
function keepRetryAfter({ staticHandlerContext }: EntryContext, headers: Headers): void {
  for (const ofAction of Object.values(staticHandlerContext.actionHeaders)) {
    const wait = ofAction.get(RETRY_AFTER);
    if (wait !== null) headers.set(RETRY_AFTER, wait);
  }
}

function documentResponse(html: string, status: number, headers: Headers): Response {
  addRetryAfter(status, headers);
  headers.set('content-type', 'text/html; charset=utf-8');
  return textResponse(`<!DOCTYPE html>${html}`, status, headers);
}

/**
 * Returns the words of an error page for a request that may well succeed later. It goes by the error's status: the
 * page's own is that of an action that has refused the form, though its loader failed.
 */
function failureOf({ staticHandlerContext }: EntryContext): { status: number; text: string } | undefined {
  const [error] = Object.values(staticHandlerContext.errors ?? {});
  if (error === undefined) return undefined;
  if (!isRouteErrorResponse(error)) return { status: SERVER_ERROR, text: texts.unexpected };
  const mayPass = error.status >= SERVER_ERROR || error.status === TOO_MANY;
  return mayPass ? { status: error.status, text: String(error.data) } : undefined;
}

/** Made without a loader, since none may have a database. */
function sendAgainResponse(
  request: Request,
  { status, ...shown }: { status: number; text: string; posted: PostedForm },
) {
  const styles = findStylesToInline(request);
  const html = renderToStaticMarkup(
    <InlineStylesProvider value={styles?.text}>
      <SendAgainPage
        {...shown}
        action={pathAndQuery(new URL(request.url))}
        productName={env.PRODUCT_NAME}
        reference={request.headers.get('x-request-id') ?? undefined}
      />
    </InlineStylesProvider>,
  );
  return documentResponse(html, status, new Headers({ 'content-security-policy': scriptlessPolicy(styles?.hash) }));
}

const viewerData = z.object({ deviceOwner: z.string().nullable(), timeZone: z.string() });
const rootData = z.object({ viewer: viewerData.nullable() });

/** Finds whose page this is, for the service worker: nobody's means that what is kept goes. */
function findViewer({ staticHandlerContext }: EntryContext): z.infer<typeof viewerData> | null {
  const { data } = rootData.safeParse(staticHandlerContext.loaderData.root);
  return data?.viewer ?? null;
}

/** Returns the answer for a file that there is not, or a refused write to no route: a page would cost too much. */
function refusalOfUnknownPath(
  { url }: Request,
  status: number,
  { staticHandlerContext }: EntryContext,
): string | undefined {
  const isUnknown = staticHandlerContext.matches.at(-1)?.route.path === '*';
  const [error] = Object.values(staticHandlerContext.errors ?? {});
  if (!isUnknown || !isRouteErrorResponse(error)) return undefined;
  if (status === NOT_FOUND && !isFileName(new URL(url).pathname)) return undefined;
  return String(error.data);
}

export function handleDataRequest(response: Response): Response {
  // Remix names no charset.
  if (response.headers.get('content-type') === 'text/x-script') {
    response.headers.set('content-type', 'text/x-script; charset=utf-8');
  }
  addRetryAfter(response.status, response.headers);
  return response;
}

/** Remix drops the headers of what a loader throws. */
function addRetryAfter(status: number, headers: Headers): void {
  if (status === UNAVAILABLE && !headers.has(RETRY_AFTER))
    headers.set(RETRY_AFTER, String(DATABASE_RETRY_AFTER_SECONDS));
}

export const handleError: HandleErrorFunction = (error, { request }) => {
  // An error of the client is in the response already.
  if (isRouteErrorResponse(error) && error.status < 500) return;
  if (request.signal.aborted) return;
  const cause = failureCauseOf(error);
  noteCause(cause);
  log.error({ err: error, cause, path: redactUrl(new URL(request.url).pathname) }, 'a page failed');
};

/**
 * Puts the loaders' data, which RemixServer would stream after the page, where it looks first: `renderToString` waits for
 * nothing. The property is typed and not documented; tests/http/page-data.test.ts says when RemixServer reads it no more.
 */
async function preloadPageData({ serverHandoffStream, renderMeta }: EntryContext): Promise<void> {
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
