import { randomUUID } from 'node:crypto';
import { createRequestHandler, type RequestHandler, type ServerBuild } from '@remix-run/node';
import { z } from 'zod';
import { inContext } from '#app/server/observability/request-context.server.ts';
import remixConfig from '../../remix.config.js';
import { type Route, ROUTES, routesLike } from './routes.ts';

type Routes = ServerBuild['routes'];

// What Remix takes from a build has looser types than what the modules export.
const routeModule = z.custom<Routes[string]['module']>();
const entryModule = z.custom<ServerBuild['entry']['module']>();
const futureFlags = z.custom<ServerBuild['future']>();

const handlers = new Map<string, Promise<RequestHandler>>();

/** The answer of the whole app: a page's is its document. */
export async function handleRequest(request: Request): Promise<Response> {
  const { host, pathname } = new URL(request.url);
  request.headers.set('host', host);
  const app = await handlerFor(pathname);
  return inContext({ reqId: randomUUID() }, () => app(request));
}

/** Remix matches all routes of its build four times for each document, so that it gets those alone that may match. */
function handlerFor(pathname: string): Promise<RequestHandler> {
  const routes = routesLike(pathname);
  const key = routes.map(({ path }) => path).join(' ');
  const handler = handlers.get(key) ?? handlerOf(routes);
  handlers.set(key, handler);
  return handler;
}

async function handlerOf(routes: Route[]): Promise<RequestHandler> {
  const modules = routes.map(async ({ path, load }): Promise<[string, object]> => [path, await load()]);
  return appHandler(Object.fromEntries(await Promise.all(modules)));
}

/** The app as remix-serve calls it, with the real entry and root, and these route modules by path. */
export async function appHandler(modules: Record<string, object>): Promise<RequestHandler> {
  const [entry, root] = await Promise.all([import('#app/entry.server.tsx'), import('#app/root.tsx')]);
  const children = Object.entries(modules).map(([path, module]) => route(path, path, module, 'root'));
  const routes: Routes = Object.fromEntries([route('root', '', root), ...children].map((one) => [one.id, one]));
  return createRequestHandler(
    {
      entry: { module: entryModule.parse(entry) },
      routes,
      assets: {
        entry: { module: '/entry.js', imports: [] },
        routes: manifestOf(routes),
        url: '/manifest.js',
        version: '1',
      },
      future: futureFlags.parse(remixConfig.future),
      publicPath: '/',
      assetsBuildDirectory: 'build/client',
      basename: '/',
      mode: 'production',
      isSpaMode: false,
    },
    'production',
  );
}

function route(id: string, path: string, module: object, parentId?: string): Routes[string] {
  const index = ROUTES.some((known) => known.path === path && known.index);
  return { id, parentId, path: path.slice(1) || undefined, index, module: routeModule.parse(module) };
}

/** What the browser would be told of each route. */
function manifestOf(routes: Routes): ServerBuild['assets']['routes'] {
  const entries = Object.values(routes).map(({ module, ...own }) => ({
    ...own,
    module: `/${own.id}.js`,
    hasAction: module.action !== undefined,
    hasLoader: module.loader !== undefined,
    hasClientAction: false,
    hasClientLoader: false,
    hasErrorBoundary: module.ErrorBoundary !== undefined,
  }));
  return Object.fromEntries(entries.map((entry) => [entry.id, entry]));
}
