import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ActionFunction, LoaderFunction, ServerBuild } from '@remix-run/node';
import { wholeTextOf } from '../api/api-responses.server.ts';
import { routePatternOf, routesByPath } from '../observability/route-patterns.server.ts';

export type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error: unknown) => void,
) => Promise<void>;

/** What @remix-run/express makes of a request, and of a response. */
export interface RemixExpress {
  createRemixRequest(request: IncomingMessage, response: ServerResponse): Request;
  sendRemixResponse(response: ServerResponse, answer: Response): Promise<void>;
}

interface Call {
  handle: LoaderFunction | ActionFunction;
  params: Record<string, string>;
}

/** Answers calls of the API by their routes; Remix flattens and matches all routes anew for every request. */
export function withApiCalls(
  { routes }: ServerBuild,
  handleOthers: Handler,
  { createRemixRequest, sendRemixResponse }: RemixExpress,
): Handler {
  const byPath = routesByPath(routes);
  return async (request, response, next) => {
    const call = findCall(request);
    if (!call) return handleOthers(request, response, next);
    try {
      const args = { request: createRemixRequest(request, response), params: call.params, context: {} };
      const answer = await call.handle(args);
      if (!(answer instanceof Response)) throw new TypeError('a call answered with something else than a Response');
      const text = wholeTextOf(answer);
      if (text === undefined) await sendRemixResponse(response, answer);
      else sendText(response, answer, text);
    } catch (error) {
      next(error);
    }
  };

  function findCall({ method = '', url = '' }: IncomingMessage): Call | undefined {
    const [path = ''] = url.split('?', 1);
    // Escapes and other spellings are Remix's to read.
    if (!/^\/api(\/\w[\w.-]*)+$/.test(path) || path.endsWith('.data')) return undefined;
    const pattern = routePatternOf(path);
    const module = byPath.get(pattern)?.module;
    const handle = isWrite(method) ? module?.action : module?.loader;
    return handle && { handle, params: paramsOf(pattern, path) };
  }
}

/** In one write, with its length. */
function sendText(response: ServerResponse, { status, headers }: Response, text: string): void {
  response.statusCode = status;
  for (const [name, value] of headers) response.appendHeader(name, value);
  response.end(text);
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
