import { createRequestHandler, type ServerBuild } from '@remix-run/node';
import { type CheerioAPI, load } from 'cheerio/slim';
import * as entry from '#app/entry.server.tsx';
import { getRequest } from './requests.ts';
import { type RouteModule, routes } from './routes.ts';

/** A whole page, as a browser without script gets it. */
export interface ServedDocument {
  status: number;
  headers: Headers;
  $: CheerioAPI;
}

/** The page at the path. */
export function documentAt(path: string, cookie = ''): Promise<ServedDocument> {
  return documentFor(getRequest(path, cookie));
}

/** The page that the posted form leads to when it is refused. */
export function documentAfter(path: string, fields: Record<string, string>, cookie = ''): Promise<ServedDocument> {
  const request = getRequest(path, cookie, { 'sec-fetch-site': 'same-origin' });
  return documentFor(new Request(request, { method: 'POST', body: new URLSearchParams(fields) }));
}

/** An element's text as it reads, with single spaces. */
export function textOf(element: { text(): string }): string {
  return element.text().replaceAll(/\s+/g, ' ').trim();
}

/** The value that stands beside a term. */
export function detailOf({ $ }: ServedDocument, term: string) {
  return $('dt')
    .filter((_, dt) => textOf($(dt)) === term)
    .next('dd');
}

async function documentFor(request: Request): Promise<ServedDocument> {
  const { status, headers, text } = await handle(request).then(async (response) => ({
    status: response.status,
    headers: response.headers,
    text: await response.text(),
  }));
  return { status, headers, $: load(text) };
}

const { '../../app/root.tsx': root } = import.meta.glob<RouteModule>('../../app/root.tsx', { eager: true });
if (!root) throw new Error('There is no root route.');

const manifest: ServerBuild['routes'] = {
  root: { id: 'root', path: '', module: root },
  ...Object.fromEntries(
    routes.map(({ path, index, handle: module }) => [
      path,
      { id: path, parentId: 'root', path: path.slice(1), index, module },
    ]),
  ),
};

/** Remix as the server runs it, over the source of every route instead of a build. */
const handle = createRequestHandler(
  {
    mode: 'production',
    entry: { module: entry },
    routes: manifest,
    assets: {
      version: 'test',
      url: '/manifest.js',
      entry: { module: '/entry.js', imports: [] },
      routes: assetsOf(manifest),
    },
    // As remix.config.js has them.
    future: {
      v3_fetcherPersist: true,
      v3_relativeSplatPath: true,
      v3_throwAbortReason: true,
      v3_lazyRouteDiscovery: true,
      v3_singleFetch: true,
    },
    isSpaMode: false,
    publicPath: '/',
    assetsBuildDirectory: 'build/client',
  },
  'production',
);

function assetsOf(served: ServerBuild['routes']): ServerBuild['assets']['routes'] {
  const entries = Object.entries(served).map(([id, { module, ...route }]) => {
    const has = {
      hasAction: Boolean(module.action),
      hasLoader: Boolean(module.loader),
      hasClientAction: Boolean(module.clientAction),
      hasClientLoader: false,
      hasErrorBoundary: Boolean(module.ErrorBoundary),
    };
    return [id, { ...route, ...has, module: `/${encodeURIComponent(id)}.js`, imports: [] }];
  });
  return Object.fromEntries(entries);
}
