import { createHash } from 'node:crypto';
import { jsonResponse } from '../api-responses.server.ts';
import { applySecurityHeaders } from '../../security-headers.server.ts';

/** JSON with a strong entity tag of its bytes, or 304 for who has them. */
export function taggedJson(request: Request, value: object, headers: Record<string, string> = {}): Response {
  const etag = `"${digestOf(JSON.stringify(value))}"`;
  if (isKnown(request, etag)) return notModified({ ...headers, etag });
  return jsonResponse(value, 200, { ...headers, etag });
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** Compares weakly, as is right for GET. */
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
