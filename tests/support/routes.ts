import type { ServerBuild } from '@remix-run/node';
import { matchRoutes } from '@remix-run/react';
import { type Answer, answerOf } from './answers.ts';

export type RouteModule = ServerBuild['routes'][string]['module'];

const modules = import.meta.glob<RouteModule>(['../../app/routes/*.ts', '../../app/routes/*/route.{ts,tsx}'], {
  eager: true,
});
/** Every route file of the product. */
export const routes = [
  ...Object.entries(modules).map(([file, handle]) => ({ path: pathOf(file), index: isIndex(file), handle })),
  // The one route that remix.config.js adds.
  ...Object.entries(modules)
    .filter(([file]) => file.endsWith('/login/route.tsx'))
    .map(([, handle]) => ({ path: '/auth', index: false, handle })),
];

/** The routes beside the contract's that can be posted to, as '/flight-log/:id/post-check'. */
export const actionPaths = routes
  .map(({ path, handle }) => (handle.action ? path : '/api'))
  .filter((path) => !path.startsWith('/api'));

/** The route that a request goes to. */
export function pathOfRoute(request: Request): string | undefined {
  return routeFor(request)?.route.path;
}

/** What the product answers: the route that the router finds for the address, its loader for GET and HEAD, else its action. */
export async function answerTo(request: Request): Promise<Answer> {
  const match = routeFor(request);
  if (!match) throw new Error(`No route for ${request.url}`);
  const { loader, action } = match.route.handle;
  const reads = request.method === 'GET' || request.method === 'HEAD';
  const answer = reads ? loader : action;
  if (!answer) return { status: 405, headers: new Headers(), body: '' };
  return answerOf(answer({ request, params: match.params, context: {} }));
}

function routeFor(request: Request) {
  return matchRoutes(routes, new URL(request.url).pathname)?.[0];
}

function isIndex(file: string): boolean {
  return /[/.]_index\b/.test(file);
}

/** 'api.flight-logs.$id._index.ts' answers '/api/flight-logs/:id', 'users.add/route.tsx' answers '/users/add'. */
function pathOf(file: string): string {
  const name = file.replace(/^.*\/routes\//, '').replace(/(\/route)?\.tsx?$/, '');
  const segments = name.split(/\.(?![^[]*\])/).filter((segment) => !segment.startsWith('_'));
  return `/${segments
    .map((segment) =>
      segment
        .replace(/[[\]]|_$/g, '')
        .replace(/^\$$/, '*')
        .replace(/^\$/, ':'),
    )
    .join('/')}`;
}
