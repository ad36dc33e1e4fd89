import type { IncomingMessage } from 'node:http';
import { createRequestHandler, type RequestHandler, type ServerBuild } from '@remix-run/node';
import { routePatternOf, routeIdsByPath } from '../observability/route-patterns.server.ts';

/**
 * Finds the handler of a page: one that knows its routes alone, since Remix compiles the paths of all routes of its build
 * anew for every request. Escapes, other spellings and unknown paths are left to a handler of the whole build.
 */
export function pagesOf(build: ServerBuild): (request: IncomingMessage) => RequestHandler {
  const ids = routeIdsByPath(build.routes);
  const whole = createRequestHandler(build, build.mode);
  const handlers = new Map<string, RequestHandler>();
  return ({ url = '' }) => {
    const [path = ''] = url.split('?', 1);
    const pattern = routePatternOf(path);
    const own = ids.get(pattern);
    if (!own || !/^(\/[\w.-]+)*\/?$/.test(path)) return whole;
    const handler = handlers.get(pattern) ?? createRequestHandler(onlyRoutes(build, own), build.mode);
    handlers.set(pattern, handler);
    return handler;
  };
}

/** The build with these routes and those they stand in. */
function onlyRoutes(build: ServerBuild, ids: readonly string[]): ServerBuild {
  const kept = new Set(ids.flatMap((id) => withParents(build.routes, id)));
  const keep = <Route>(routes: Record<string, Route>) =>
    Object.fromEntries(Object.entries(routes).filter(([id]) => kept.has(id)));
  return { ...build, routes: keep(build.routes), assets: { ...build.assets, routes: keep(build.assets.routes) } };
}

function withParents(routes: ServerBuild['routes'], id: string): string[] {
  const parent = routes[id]?.parentId;
  return parent === undefined ? [id] : [...withParents(routes, parent), id];
}
