import { data, type LinksFunction, type LoaderFunctionArgs } from '@remix-run/node';
import {
  isRouteErrorResponse,
  Links,
  Meta,
  type MetaFunction,
  Outlet,
  Scripts,
  ScrollRestoration,
  useMatches,
  useRouteError,
  useRouteLoaderData,
} from '@remix-run/react';
import { type ReactNode, useEffect } from 'react';
import { ErrorPage, ResponseErrorPage } from '#app/ui/page/error-page.tsx';
import { AppShell, type Viewer } from '#app/ui/page/app-shell.tsx';
import { AUTO_RENEWED_HANDLE } from '#app/ui/page/renewed.ts';
import { FLIGHT_LINE_RENEWAL_S } from '#app/limits.ts';
import { texts } from '#app/domain/texts.ts';
import { env } from './env.server.ts';
import { readToast } from '#app/server/flash.server.ts';
import { FOR_KEEPING_HEADER } from '#app/service-worker/requests.ts';
import { findViewer } from '#app/server/session/viewer.server.ts';
import { useReference } from '#app/ui/page/reference.tsx';
import { useNonce, Styles } from '#app/ui/page/styles.tsx';

export const links: LinksFunction = () => [
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  { rel: 'manifest', href: '/manifest.webmanifest' },
];

export async function loader({ request }: LoaderFunctionArgs) {
  // A page to keep takes no toast from the page that is shown.
  const isKept = request.headers.has(FOR_KEEPING_HEADER);
  const [{ toast, headers }, viewer] = await Promise.all([
    isKept ? { toast: null, headers: new Headers() } : readToast(request),
    findViewer(request),
  ]);
  return data({ productName: env.PRODUCT_NAME, toast, ...viewer }, { headers });
}

export const meta: MetaFunction<typeof loader> = ({ data: root, error }) => {
  if (isRouteErrorResponse(error) && error.status === 404) return [{ title: texts.pageNotFound }];
  return [{ title: root?.productName ?? 'Error' }];
};

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useNonce();
  const reference = useReference();
  const root = useRouteLoaderData<typeof loader>('root');
  const isRenewed = useMatches().some(({ handle }) => handle === AUTO_RENEWED_HANDLE);
  // React runs effects from the inside out, so by now the whole page is interactive.
  useEffect(() => {
    document.documentElement.dataset.hydrated = '';
  }, []);
  return (
    <html lang="en" data-request-id={reference} {...typedAttributes(root)}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#0e1821" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#070c10" media="(prefers-color-scheme: dark)" />
        <Meta />
        <Styles />
        <Links />
        {isRenewed && (
          <noscript>
            <meta httpEquiv="refresh" content={String(FLIGHT_LINE_RENEWAL_S)} />
          </noscript>
        )}
      </head>
      <body>
        <AppShell productName={root?.productName ?? ''} viewer={root?.viewer ?? null}>
          {children}
        </AppShell>
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

/** Says for the script that keeps forms whose page it is, and of what date what it shows. */
function typedAttributes(
  root: { viewer: Viewer | null; typed: { at: string; drafts: string | undefined } | null } | undefined,
) {
  if (!root?.viewer) return {};
  const { id, isOnSharedComputer, timeZone } = root.viewer;
  return {
    'data-viewer': id,
    'data-zone': timeZone,
    'data-shared': isOnSharedComputer ? '' : undefined,
    'data-rendered-at': root.typed?.at,
    'data-drafts': root.typed?.drafts,
  };
}

export default function Root() {
  return <Outlet />;
}

export function ErrorBoundary() {
  const error = useRouteError();
  return isRouteErrorResponse(error) ? (
    <ResponseErrorPage error={error} />
  ) : (
    <ErrorPage title="Error" text={texts.unexpected} />
  );
}
