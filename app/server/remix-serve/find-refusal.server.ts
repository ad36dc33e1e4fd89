import type { IncomingMessage } from 'node:http';
import { MAX_PATH_BYTES, MAX_PATH_SEGMENTS, MAX_QUERY_BYTES } from '#app/limits.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

export interface Refusal {
  status: number;
  text: string;
  headers?: Record<string, string>;
}

const UNKNOWN_METHOD: Refusal = {
  status: 405,
  text: 'This method is not served here.',
  headers: { allow: METHODS.join(', ') },
};
const TOO_LONG: Refusal = { status: 414, text: 'This address is too long.' };
const NOT_FOUND: Refusal = { status: 404, text: 'There is nothing at this address.' };

/** Finds what Remix would spend seconds on: it matches every beginning of a path with every route. */
export function findRefusal({ method = '', url = '/' }: Pick<IncomingMessage, 'method' | 'url'>): Refusal | undefined {
  if (!METHODS.includes(method)) return UNKNOWN_METHOD;
  const [path = ''] = url.split('?', 1);
  if (Buffer.byteLength(url) - Buffer.byteLength(path) > MAX_QUERY_BYTES + 1) return TOO_LONG;
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return TOO_LONG;
  // Read as Remix reads it, without dot segments and with slashes for backslashes.
  const { pathname } = new URL(`http://localhost${url}`);
  return pathname.slice(1).split('/').length > MAX_PATH_SEGMENTS ? NOT_FOUND : undefined;
}
