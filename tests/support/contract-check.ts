import { API_CALLS } from '#app/server/contract/calls.server.ts';
import { errorStatusesOf } from '#app/server/contract/openapi.server.ts';
import type { Answer } from './answers.ts';

/** Of an answer that the contract does not list; undefined where all is well, or nothing is said of the call. */
export function contractViolation({ method, url }: Request, { status, body }: Answer): string | undefined {
  const { pathname } = new URL(url);
  const call = API_CALLS.find((one) => one.method === method.toLowerCase() && matches(one.path, pathname));
  if (!call || status === 405) return undefined;
  const success = call.created ? 201 : 200;
  if (status === 304 && method === 'GET' && call.response) return undefined;
  if (status !== success) {
    const isListed = errorStatusesOf(call).some((listed) => listed === status);
    return isListed ? undefined : `${method} ${call.path} answers with ${status}, which the contract does not list`;
  }
  const error = call.response?.safeParse(JSON.parse(String(body))).error;
  return error && `${method} ${call.path} answers with another shape than the contract's: ${error.message}`;
}

/** A literal path goes before one with a parameter, as '/api/flight-logs/open'. */
function matches(template: string, pathname: string): boolean {
  if (!template.includes('{')) return template === pathname;
  const isLiteral = API_CALLS.some(({ path }) => path === pathname);
  return !isLiteral && new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname);
}
