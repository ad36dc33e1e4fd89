import { type RequestContext, requestContext } from '../observability/request-context.server.ts';

const running = new WeakMap<RequestContext, Map<string, Promise<unknown>>>();

/** Runs `work` once for all that ask for `key` while it runs in one request, as the loaders of root and screen do. */
export function shareInRequest<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const context = requestContext();
  if (!context) return work();
  const results: Map<string, Promise<unknown>> = running.get(context) ?? new Map<string, Promise<unknown>>();
  running.set(context, results);
  const known = results.get(key);
  if (known) return known as Promise<Result>;
  const result = work().finally(() => results.delete(key));
  results.set(key, result);
  return result;
}
