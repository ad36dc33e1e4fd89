import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { db } from './db.server.ts';
import type { Actor } from '#app/domain/actor.ts';
import { AppError } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { readJson } from './body.server.ts';
import { applySecurityHeaders } from './security-headers.server.ts';
import { assertSameOrigin } from './same-origin.server.ts';
import { toErrorView } from './error-responses.server.ts';
import { findSessionUser } from './session.server.ts';

export interface ApiRequest {
  request: Request;
  params: LoaderFunctionArgs['params'];
  url: URL;
  /** The Idempotency-Key header, if the client sent one (C58). */
  key: string | undefined;
  /** The JSON body through a schema; throws 'invalid' with the schema's own words. */
  body: <Schema extends z.ZodType>(schema: Schema, limit?: number) => Promise<z.output<Schema>>;
}

export type AuthedApiRequest = ApiRequest & { actor: Actor };
type HandlerResult = Promise<Response | object>;
type Handler = (call: ApiRequest) => HandlerResult;
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * A resource route's loader and action from one handler a method: 405 for the others, 200 with JSON for what a
 * handler returns, a refusal's status and text for what it throws (C59). Nothing here is cached (C28).
 * `toldAsMessage` names the methods whose failures the contract wants as JSON `{message}`.
 */
export function apiResource(handlers: Partial<Record<Method, Handler>>, jsonErrorMethods: readonly Method[] = []) {
  const answer = ({ request, params }: LoaderFunctionArgs | ActionFunctionArgs) =>
    handleRequest(handlers, request, params, (words, status) =>
      jsonErrorMethods.some((method) => method === request.method)
        ? jsonResponse({ message: words }, status)
        : textResponse(words, status),
    );
  return { loader: answer, action: answer };
}

/** A handler for signed-in callers; 401 for anybody else. */
export function requireUser(handle: (call: AuthedApiRequest) => HandlerResult): Handler {
  return async (call) => {
    const actor = await findSessionUser(db, call.request);
    if (!actor) throw new AppError('unauthorized', texts.unauthorized);
    return handle({ ...call, actor });
  };
}

/** JSON with a status and, where needed, further headers. */
export function jsonResponse(value: object, status = 200, headers: HeadersInit = {}): Response {
  return new Response(JSON.stringify(value), { status, headers: withDefaults(headers, 'application/json') });
}

/** Plain text, as every failure of a call is told unless the contract says otherwise (B239). */
export function textResponse(words: string, status: number, headers: HeadersInit = {}): Response {
  return new Response(words, { status, headers: withDefaults(headers, 'text/plain; charset=utf-8') });
}

/** A file to be kept under this name, which has plain letters only. */
export function fileResponse(
  content: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  name: string,
  contentType: string,
): Response {
  const headers = withDefaults({ 'content-disposition': `attachment; filename="${name}"` }, contentType);
  return new Response(content, { headers });
}

/** The input through a schema, or 'invalid' with each field's own words. */
export function parseOrThrow<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const fields = Object.fromEntries(
    result.error.issues.toReversed().map((issue) => [issue.path.join('.') || 'body', issue.message]),
  );
  throw new AppError('invalid', [...new Set(result.error.issues.map((issue) => issue.message))].join('\n'), fields);
}

async function handleRequest(
  handlers: Partial<Record<Method, Handler>>,
  request: Request,
  params: LoaderFunctionArgs['params'],
  refuse: (words: string, status: number) => Response,
): Promise<Response> {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const handle = handlers[method as Method];
  if (!handle) return textResponse('Method Not Allowed', 405, { allow: Object.keys(handlers).join(', ') });
  try {
    if (method !== 'GET') assertSameOrigin(request);
    const answer = await handle({
      request,
      params,
      url: new URL(request.url),
      key: idempotencyKeyOf(request),
      body: async (schema, limit) => parseOrThrow(schema, await readJson(request, limit)),
    });
    return answer instanceof Response ? answer : jsonResponse(answer);
  } catch (error) {
    const told = toErrorView(error);
    return refuse(told.text, told.status);
  }
}

function idempotencyKeyOf(request: Request): string | undefined {
  const key = request.headers.get('idempotency-key');
  if (key === null) return undefined;
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) {
    throw new AppError('invalid', 'The Idempotency-Key must have 1 to 200 visible characters.');
  }
  return key;
}

function withDefaults(headers: HeadersInit, contentType: string): Headers {
  const all = applySecurityHeaders(new Headers(headers));
  if (!all.has('content-type')) all.set('content-type', contentType);
  return all;
}
