import { createHash } from 'node:crypto';

const wholeBodies = new WeakMap<Response, Buffer>();

/** Returns the bytes of a response; undefined if its body is a stream. */
export function wholeBodyOf(response: Response): Buffer | undefined {
  return wholeBodies.get(response);
}

export function jsonResponse(value: object, status = 200, headers: HeadersInit = {}): Response {
  return jsonTextResponse(JSON.stringify(value), status, headers);
}

function jsonTextResponse(json: string, status: number, headers: HeadersInit): Response {
  return wholeResponse(json, { status, headers: withType(headers, 'application/json') });
}

export function jsonStreamResponse(
  content: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  headers: HeadersInit = {},
): Response {
  return new Response(content, { headers: withType(headers, 'application/json') });
}

/** Makes a plain-text response, the form of API errors unless the contract says otherwise. */
export function textResponse(text: string, status: number, headers: HeadersInit = {}): Response {
  return wholeResponse(text, { status, headers: withType(headers, 'text/plain; charset=utf-8') });
}

/** Makes a download; `name` must be ASCII. */
export function fileResponse(
  content: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  name: string,
  contentType: string,
): Response {
  const headers = withType({ 'content-disposition': `attachment; filename="${name}"` }, contentType);
  return new Response(content, { headers });
}

function wholeResponse(text: string, init: ResponseInit): Response {
  const bytes = Buffer.from(text);
  const response = new Response(bytes, init);
  wholeBodies.set(response, bytes);
  return response;
}

function withType(headers: HeadersInit, contentType: string): Headers {
  const all = new Headers(headers);
  if (!all.has('content-type')) all.set('content-type', contentType);
  return all;
}

/** Responds with JSON and a strong entity tag of its bytes, or with 304 to a client that has them. */
export function taggedJson(request: Request, value: object, headers: Record<string, string> = {}): Response {
  const text = JSON.stringify(value);
  const etag = `"${digestOf(text)}"`;
  if (isKnownEntityTag(request, etag)) return notModified({ ...headers, etag });
  return jsonTextResponse(text, 200, { ...headers, etag });
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

export function isKnownEntityTag(request: Request, etag: string): boolean {
  const tags = (request.headers.get('if-none-match') ?? '').split(',').map(withoutWeakness);
  return tags.includes('*') || tags.includes(withoutWeakness(etag));
}

export function notModified(headers: Record<string, string>): Response {
  return new Response(null, { status: 304, headers });
}

function withoutWeakness(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}
