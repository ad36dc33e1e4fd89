import { createHash } from 'node:crypto';
import { applySecurityHeaders } from '../security-headers.server.ts';
import { jsonTextResponse } from './api-responses.server.ts';

/** Responds with JSON and a strong entity tag of its bytes, or with 304 to a client that has them. */
export function taggedJson(request: Request, value: object, headers: Record<string, string> = {}): Response {
  const text = JSON.stringify(value);
  const etag = `"${digestOf(text)}"`;
  if (isKnown(request, etag)) return notModified({ ...headers, etag });
  return jsonTextResponse(text, 200, { ...headers, etag });
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

export function isKnown(request: Request, etag: string): boolean {
  const tags = (request.headers.get('if-none-match') ?? '').split(',').map(withoutWeakness);
  return tags.includes('*') || tags.includes(withoutWeakness(etag));
}

export function notModified(headers: Record<string, string>): Response {
  return new Response(null, { status: 304, headers: applySecurityHeaders(new Headers(headers)) });
}

function withoutWeakness(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}
