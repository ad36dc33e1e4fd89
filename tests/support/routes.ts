import { readFileSync } from 'node:fs';
import type { ServerBuild } from '@remix-run/node';
import { matchRoutes } from '@remix-run/react';
import { type Answer, answerOf, errorTextOf } from './answers.ts';
import { contractViolation } from './contract-check.ts';
import { pathsOf } from './screen-routes.ts';

type RouteModule = ServerBuild['routes'][string]['module'];

export interface Route {
  /** As '/flight-log/:id/post-check'; the catch-all is '/*'. */
  path: string;
  index: boolean;
  /** A resource route renders no component. */
  kind: 'page' | 'resource';
  /** Read from its text: a test file loads only the routes that it asks. */
  exports: ReadonlySet<string>;
  load: () => Promise<RouteModule>;
}

const modules = import.meta.glob<RouteModule>(['../../app/routes/*.{ts,tsx}', '../../app/routes/*/route.{ts,tsx}']);

/** Every route of the product: one that is added stands here by itself. */
export const ROUTES: Route[] = Object.entries(modules).flatMap(([file, load]) => {
  const exports = exportsOf(file.replace('../../', ''));
  const kind = exports.has('default') ? 'page' : 'resource';
  return pathsOf(file).map((path): Route => ({ path, index: /[/.]_index\b/.test(file), kind, exports, load }));
});

function exportsOf(file: string): Set<string> {
  const found = readFileSync(file, 'utf8').matchAll(
    /^export (?:(default)|(?:const|async function|function) (\w+)|\{([^}]*)\})/gm,
  );
  return new Set(
    [...found].flatMap(([, standard, name, list = '']) =>
      [standard ?? name ?? list.match(/\w+(?=\s*(?:,|$))/g) ?? []].flat(),
    ),
  );
}

/** The routes beside the contract's that can be posted to, as '/flight-log/:id/post-check'. */
export const actionPaths = ROUTES.filter(({ path, exports }) => exports.has('action') && !path.startsWith('/api')).map(
  ({ path }) => path,
);

/** The route that a request goes to. */
export function pathOfRoute(request: Request): string | undefined {
  return routeFor(request)?.route.path;
}

/** What the product answers: the route that the router finds for the address, its loader for GET and HEAD, else its action. Throws where a call answers otherwise than the contract says. */
export async function answerTo(request: Request): Promise<Answer> {
  const match = routeFor(request);
  if (!match) throw new Error(`No route for ${request.url}`);
  const { loader, action } = await match.route.load();
  const reads = request.method === 'GET' || request.method === 'HEAD';
  const answer = reads ? loader : action;
  // Remix's own answer.
  if (!answer) return { status: 405, headers: new Headers(), body: 'Method Not Allowed' };
  const came = await answerOf(answer({ request, params: match.params, context: {} }));
  const violation = match.route.path.startsWith('/api/') ? contractViolation(request, came) : undefined;
  if (violation !== undefined) throw new Error(violation);
  return came;
}

/** The answer, and the error that its page shows. */
export async function answerWithText(request: Request) {
  const answer = await answerTo(request);
  return { ...answer, text: errorTextOf(answer) };
}

function routeFor(request: Request) {
  const { pathname } = new URL(request.url);
  return matchRoutes(routesLike(pathname), pathname)?.[0];
}

/** The routes that may match the path: the router compiles all that it is given, anew each time. */
export function routesLike(pathname: string): Route[] {
  const asked = segmentsOf(pathname);
  return ROUTES.filter((_, index) =>
    SEGMENTS[index]?.every((segment, place) => /^[:*]/.test(segment) || segment === asked[place]),
  );
}

const SEGMENTS = ROUTES.map(({ path }) => segmentsOf(path));

function segmentsOf(path: string): string[] {
  return path.split('/').flatMap((segment) => (segment === '' ? [] : [decodeSegment(segment).toLowerCase()]));
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The path with these values in place of its parameters. */
export function pathWith(path: string, value: string): string {
  return path.replace('*', 'no/such/page').replace(/:\w+/g, value);
}
