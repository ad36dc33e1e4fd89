import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { db } from './db.server.ts';
import type { Actor } from '#app/domain/actor.ts';
import { Refusal } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { readJson } from './body.server.ts';
import { keepPrivate } from './security-headers.server.ts';
import { assertSameOrigin } from './same-origin.server.ts';
import { tell } from './error-responses.server.ts';
import { actorOf } from './session.server.ts';

export interface Call {
  request: Request;
  params: LoaderFunctionArgs['params'];
  url: URL;
  /** The Idempotency-Key header, if the client sent one (C58). */
  key: string | undefined;
  /** The JSON body through a schema; throws 'invalid' with the schema's own words. */
  body: <Schema extends z.ZodType>(schema: Schema, limit?: number) => Promise<z.output<Schema>>;
}

export type SignedInCall = Call & { actor: Actor };
type Answer = Promise<Response | object>;
type Handler = (call: Call) => Answer;
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * A resource route's loader and action from one handler a method: 405 for the others, 200 with JSON for what a
 * handler returns, a refusal's status and text for what it throws (C59). Nothing here is cached (C28).
 * `toldAsMessage` names the methods whose failures the contract wants as JSON `{message}`.
 */
export function resource(handlers: Partial<Record<Method, Handler>>, toldAsMessage: readonly Method[] = []) {
  const answer = ({ request, params }: LoaderFunctionArgs | ActionFunctionArgs) =>
    respond(handlers, request, params, (words, status) =>
      toldAsMessage.some((method) => method === request.method) ? json({ message: words }, status) : text(words, status),
    );
  return { loader: answer, action: answer };
}

/** A handler for signed-in callers; 401 for anybody else. */
export function signedInCall(handle: (call: SignedInCall) => Answer): Handler {
  return async (call) => {
    const actor = await actorOf(db, call.request);
    if (!actor) throw new Refusal('unauthorized', texts.unauthorized);
    return handle({ ...call, actor });
  };
}

/** JSON with a status and, where needed, further headers. */
export function json(value: object, status = 200, headers: HeadersInit = {}): Response {
  return new Response(JSON.stringify(value), { status, headers: withDefaults(headers, 'application/json') });
}

/** Plain text, as every failure of a call is told unless the contract says otherwise (B239). */
export function text(words: string, status: number, headers: HeadersInit = {}): Response {
  return new Response(words, { status, headers: withDefaults(headers, 'text/plain; charset=utf-8') });
}

/** A file to be kept under this name, which has plain letters only. */
export function file(content: ReadableStream<Uint8Array<ArrayBuffer>> | null, name: string, contentType: string): Response {
  const headers = withDefaults({ 'content-disposition': `attachment; filename="${name}"` }, contentType);
  return new Response(content, { headers });
}

/** The input through a schema, or 'invalid' with each field's own words. */
export function parsed<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const fields = Object.fromEntries(
    result.error.issues.toReversed().map((issue) => [issue.path.join('.') || 'body', issue.message]),
  );
  throw new Refusal('invalid', [...new Set(result.error.issues.map((issue) => issue.message))].join('\n'), fields);
}

async function respond(
  handlers: Partial<Record<Method, Handler>>,
  request: Request,
  params: LoaderFunctionArgs['params'],
  refuse: (words: string, status: number) => Response,
): Promise<Response> {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const handle = handlers[method as Method];
  if (!handle) return text('Method Not Allowed', 405, { allow: Object.keys(handlers).join(', ') });
  try {
    if (method !== 'GET') assertSameOrigin(request);
    const answer = await handle({
      request,
      params,
      url: new URL(request.url),
      key: keyOf(request),
      body: async (schema, limit) => parsed(schema, await readJson(request, limit)),
    });
    return answer instanceof Response ? answer : json(answer);
  } catch (error) {
    const told = tell(error);
    return refuse(told.text, told.status);
  }
}

function keyOf(request: Request): string | undefined {
  const key = request.headers.get('idempotency-key');
  if (key === null) return undefined;
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) {
    throw new Refusal('invalid', 'The Idempotency-Key must have 1 to 200 visible characters.');
  }
  return key;
}

function withDefaults(headers: HeadersInit, contentType: string): Headers {
  const all = keepPrivate(new Headers(headers));
  if (!all.has('content-type')) all.set('content-type', contentType);
  return all;
}
