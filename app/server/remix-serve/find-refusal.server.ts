import type { IncomingMessage } from 'node:http';
import { MAX_PATH_BYTES, MAX_PATH_SEGMENTS, MAX_QUERY_BYTES } from '#app/limits.ts';

export interface HostSettings {
  APP_URL: string;
  REFUSES_FOREIGN_HOSTS: boolean;
}

export interface Refusal {
  status: number;
  text: string;
  headers?: Record<string, string>;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const HEALTH_CHECKS = ['/healthz', '/readyz'];
const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i;

export const UNREADABLE: Refusal = { status: 400, text: 'This request cannot be read.' };
const UNKNOWN_METHOD: Refusal = {
  status: 405,
  text: 'This method is not served here.',
  headers: { allow: METHODS.join(', ') },
};
const TOO_LONG: Refusal = { status: 414, text: 'This address is too long.' };
const NOT_FOUND: Refusal = { status: 404, text: 'There is nothing at this address.' };
const UNEXPECTED: Refusal = { status: 417, text: 'What this request expects is not done here.' };

/** Finds what is no request to this site, and what Remix would spend seconds on: it matches every beginning of a path with every route. */
export function findRefusal(request: IncomingMessage, settings: HostSettings): Refusal | undefined {
  return findBrokenHead(request) ?? findAddressRefusal(request) ?? findForeignHost(request, settings);
}

/** A proxy may go by one of two hosts and this server by the other. */
function findBrokenHead({ rawHeaders, headers, httpVersion }: IncomingMessage): Refusal | undefined {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return { ...UNREADABLE, headers: { connection: 'close' } };
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') return UNEXPECTED;
  return undefined;
}

export function findAddressRefusal({ method = '', url = '/' }: Pick<IncomingMessage, 'method' | 'url'>) {
  if (!METHODS.includes(method)) return UNKNOWN_METHOD;
  const [path = ''] = url.split('?', 1);
  if (Buffer.byteLength(url) - Buffer.byteLength(path) > MAX_QUERY_BYTES + 1) return TOO_LONG;
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return TOO_LONG;
  // Read as Remix reads it, without dot segments and with slashes for backslashes.
  const { pathname, searchParams } = new URL(`http://localhost${url}`);
  // Remix would answer its older question for data, which no page of ours asks, and log that as a defect.
  if (searchParams.has('_data')) return NOT_FOUND;
  return pathname.slice(1).split('/').length > MAX_PATH_SEGMENTS ? NOT_FOUND : undefined;
}

/** Refuses requests for another host than APP_URL's, where the settings say so. */
function findForeignHost(request: IncomingMessage, settings: HostSettings): Refusal | undefined {
  if (!settings.REFUSES_FOREIGN_HOSTS || !isForForeignHost(request, new URL(settings.APP_URL).hostname))
    return undefined;
  return {
    status: 421,
    text: `This server answers at ${settings.APP_URL} only.\n`,
    headers: { connection: 'close' },
  };
}

/** Compares names alone, for a port may be forwarded. A name that a trusted proxy has forwarded comes first. */
export function isForForeignHost({ headers, url = '/' }: IncomingMessage, hostname: string): boolean {
  if (HEALTH_CHECKS.includes(url.split('?', 1)[0] ?? '')) return false;
  const hosts = String(headers['x-forwarded-host'] ?? headers.host ?? '').split(',');
  return hosts.some((host) => !isHost(host.trim()) || new URL(`http://${host.trim()}`).hostname !== hostname);
}

/** '1.2.3.4.5' and 'localhost:99999' match the pattern and are no hosts. */
export function isHost(host: string): boolean {
  return HOST.test(host) && URL.canParse(`http://${host}`);
}

export const HEALTHY = {
  text: 'ok\n',
  headers: { 'cache-control': 'no-store', 'content-type': 'text/plain;charset=UTF-8', 'content-length': '3' },
};

export function isHealthCheck({ method, url }: IncomingMessage): boolean {
  return url === '/healthz' && (method === 'GET' || method === 'HEAD');
}

/** Returns true if a path names a file, as '/sitemap.xml' or '/.well-known/change-password', and not a page. */
export function isFileName(pathname: string): boolean {
  return pathname.startsWith('/.well-known/') || /\.[a-z][a-z0-9]{0,11}$/i.test(pathname);
}
