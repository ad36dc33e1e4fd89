import type { IncomingMessage } from 'node:http';
import type { ActionFunction, LoaderFunction, ServerBuild } from '@remix-run/node';
import { routeIdsByPath, routePatternOf } from '../observability/route-patterns.server.ts';

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
