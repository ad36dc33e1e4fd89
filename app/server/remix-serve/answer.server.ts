import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type ActionFunction,
  createRequestHandler,
  type LoaderFunction,
  type RequestHandler,
  type ServerBuild,
} from '@remix-run/node';
import { env } from '#app/env.server.ts';
import { log } from '../log.server.ts';
import { routeIdsByPath, routePatternOf, setRoutes } from '../observability/route-patterns.server.ts';
import { sendResponse, toRequest } from './exchange.server.ts';
import { refuse } from './refuse.server.ts';

/** Answers by a build: the calls of its API, and all else by Remix. */
export function answerOf(build: ServerBuild) {
  setRoutes(build.routes);
  const findCall = callsOf(build.routes);
  const findPage = pagesOf(build);
  return async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const request = toRequest(incoming, response, env.APP_URL);
      const call = findCall(incoming);
      await sendResponse(await (call ? answerCall(call, request) : findPage(incoming)(request)), response);
    } catch (error) {
      // Whoever made it has logged what is broken off on its way.
      if (response.headersSent) return;
      log.error({ err: error }, 'a request was not answered');
      refuse(response, { status: 500, text: 'Something went wrong.' });
    }
  };
}

interface Call {
  handle: LoaderFunction | ActionFunction;
  params: Record<string, string>;
}

/** Finds the loader or action of a call by its route; Remix flattens and matches all routes anew for every request. */
export function callsOf(routes: ServerBuild['routes']): (request: IncomingMessage) => Call | undefined {
  const ids = routeIdsByPath(routes);
  return ({ method = '', url = '' }) => {
    const [path = ''] = url.split('?', 1);
    // Escapes and other spellings are Remix's to read.
    if (!/^\/api(\/\w[\w.-]*)+$/.test(path) || path.endsWith('.data')) return undefined;
    const pattern = routePatternOf(path);
    const module = routes[ids.get(pattern)?.at(-1) ?? '']?.module;
    const handle = isWrite(method) ? module?.action : module?.loader;
    return handle && { handle, params: paramsOf(pattern, path) };
  };
}

/** Throws a TypeError where the route answers with something else than a Response. */
export async function answerCall({ handle, params }: Call, request: Request): Promise<Response> {
  const answer = await handle({ request, params, context: {} });
  if (!(answer instanceof Response)) throw new TypeError('a call answered with something else than a Response');
  return answer;
}

function isWrite(method: string): boolean {
  return ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method);
}

function paramsOf(pattern: string, path: string): Record<string, string> {
  const values = path.split('/');
  const names = pattern.split('/').map((segment, at): [string, string] => [segment, values[at] ?? '']);
  return Object.fromEntries(
    names.filter(([name]) => name.startsWith(':')).map(([name, value]) => [name.slice(1), value]),
  );
}

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
