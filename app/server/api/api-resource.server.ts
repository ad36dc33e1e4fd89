import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import type { ApiCallHandler, ApiRequest } from './api-call.server.ts';
import { AppError } from '#app/domain/app-error.ts';
import { idempotencyKeyInvalidText, texts } from '#app/domain/texts.ts';
import { MAX_IDEMPOTENCY_KEY_CHARACTERS } from '#app/limits.ts';
import { budgetHeaders } from './api-user.server.ts';
import { jsonResponse, taggedJson, textResponse } from './api-responses.server.ts';
import { toErrorView } from '../error-responses.server.ts';
import { recordRefusal, withRequestEvents } from '../request-events.server.ts';
import { assertSameOrigin } from '../same-origin.server.ts';
import { withCookies } from '../session/cookies.server.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Handlers = Partial<Record<Method, ApiCallHandler>>;

/** Makes loader and action of one handler per method: 405 for others, 200 with JSON for an object, the status and text of an AppError. */
export function apiResource(handlers: Handlers, jsonErrorMethods: readonly Method[] = []) {
  return ({ request, params }: LoaderFunctionArgs | ActionFunctionArgs) =>
    withCookies(() =>
      withRequestEvents(request, () =>
        handleRequest(handlers, { request, params }, (text, status, headers) =>
          jsonErrorMethods.some((method) => method === request.method)
            ? jsonResponse({ message: text }, status, headers)
            : textResponse(text, status, headers),
        ),
      ),
    );
}

async function handleRequest(
  handlers: Handlers,
  { request, params }: Pick<ApiRequest, 'request' | 'params'>,
  toResponse: (text: string, status: number, headers: HeadersInit) => Response,
): Promise<Response> {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const handle = handlers[method as Method];
  if (!handle) return textResponse(texts.methodNotAllowed, 405, { allow: Object.keys(handlers).join(', ') });
  try {
    if (!isRead(request)) assertSameOrigin(request);
    const result = await handle({ request, params, url: new URL(request.url), key: idempotencyKeyOf(request) });
    const response = result instanceof Response ? result : toResult(request, result);
    for (const [name, value] of Object.entries(budgetHeaders(request))) response.headers.set(name, value);
    return response;
  } catch (error) {
    recordRefusal(error, request);
    const { text, status, headers } = toErrorView(error);
    return toResponse(text, status, { ...headers, ...budgetHeaders(request) });
  }
}

function toResult(request: Request, result: object): Response {
  return isRead(request) ? taggedJson(request, result) : jsonResponse(result);
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

function idempotencyKeyOf(request: Request): string | undefined {
  const key = request.headers.get('idempotency-key');
  if (key === null) return undefined;
  if (!/^[\x21-\x7e]+$/.test(key) || key.length > MAX_IDEMPOTENCY_KEY_CHARACTERS) {
    throw new AppError('invalid', idempotencyKeyInvalidText);
  }
  return key;
}
