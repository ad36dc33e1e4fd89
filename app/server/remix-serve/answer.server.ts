import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { createRequestHandler, type RequestHandler, type ServerBuild } from '@remix-run/node';
import { matchPath } from '@remix-run/react';
import expressStaticGzip from 'express-static-gzip';
import { z } from 'zod';
import { env } from '#app/env.server.ts';
import { log } from '../log.server.ts';
import { routeIdsByPath, routePatternOf, setRoutes } from '../observability/route-patterns.server.ts';
import { refuse, sendResponse, toRequest } from './exchange.server.ts';
import { isFileName } from './find-refusal.server.ts';

/** Answers by a build; what cannot be answered is logged, and told in words. */
export function createBuildHandler(build: ServerBuild) {
  setRoutes(build.routes);
  const findHandler = createHandlerFinder(build);
  return async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const answer = await findHandler(incoming)(toRequest(incoming, response, env.APP_URL));
      await sendResponse(answer, response);
    } catch (error) {
      // Whoever made it has logged what is broken off on its way.
      if (response.headersSent) return;
      log.error({ err: error }, 'a request was not answered');
      refuse(response, { status: 500, text: 'Something went wrong.' });
    }
  };
}

/**
 * Finds who answers, since Remix compiles the paths of all routes of its build anew for every request: for a call its loader or
 * action, for a page a handler that knows its routes alone. Escapes, other spellings and unknown paths are left to all routes.
 */
export function createHandlerFinder(build: ServerBuild) {
  const { routes, mode } = build;
  const ids = routeIdsByPath(routes);
  const whole = createRequestHandler(build, mode);
  const pages = new Map<string, RequestHandler>();
  return ({ method = '', url = '' }: Pick<IncomingMessage, 'method' | 'url'>): RequestHandler => {
    const [path = ''] = url.split('?', 1);
    const pattern = routePatternOf(path);
    const own = ids.get(pattern);
    if (!own || !/^(\/[\w.-]+)*\/?$/.test(path)) return whole;
    const module = routes[own.at(-1) ?? '']?.module;
    const handle = ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method) ? module?.action : module?.loader;
    if (handle && /^\/api(\/\w[\w.-]*)+(?<!\.data)$/.test(path)) {
      const params = matchPath(pattern, path)?.params ?? {};
      return async (request) => responseOf(await handle({ request, params, context: {} }));
    }
    const handler = pages.get(pattern) ?? createRequestHandler(onlyRoutes(build, own), mode);
    pages.set(pattern, handler);
    return handler;
  };
}

function responseOf(answer: unknown): Response {
  if (!(answer instanceof Response)) throw new TypeError('a call answered with something else than a Response');
  return answer;
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

const fileError = z.object({ status: z.number(), headers: z.record(z.string(), z.string()).optional() });

/** Sends a file of the build as the build compressed it, for ever; `next` is called where none is asked for or found. */
export function createFileHandler(folder: string) {
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
