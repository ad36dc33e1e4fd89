import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { HIDDEN_ORIGIN, isOwnOrigin } from '../own-origin.server.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i;

/**
 * Makes a request safe to believe, before any other code reads it. `x-client-address` is who sent it, whatever the
 * sender claims: the socket's address, or with proxies in front the one that the outermost trusted proxy saw.
 */
export function normalizeRequest(request: IncomingMessage, settings: { TRUST_PROXY: number; APP_URL: string }): void {
  const { headers, socket } = request;
  headers['x-client-address'] = clientAddress(headers['x-forwarded-for'], socket.remoteAddress, settings.TRUST_PROXY);
  if (settings.TRUST_PROXY === 0) {
    for (const name of ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto']) delete headers[name];
  }
  // Remix answers 500 to TRACE; like any method that it does not know, TRACE is now one that nothing here takes.
  if (!METHODS.includes(request.method ?? '')) request.method = 'OPTIONS';
  // Remix builds an URL from the host and the target, and answers 500 when it cannot.
  for (const name of ['host', 'x-forwarded-host'] as const) {
    const host = headers[name];
    if (host !== undefined && !isHost(String(host))) headers[name] = new URL(settings.APP_URL).host;
  }
  replaceOriginHeader(headers, settings.APP_URL);
  request.url = toDecodablePath(toOriginForm(request.url ?? '/'));
}

/** '1.2.3.4.5' and 'localhost:99999' are made of the right letters, and are none. */
function isHost(host: string): boolean {
  return HOST.test(host) && URL.canParse(`http://${host}`);
}

/**
 * Remix answers 500 to a form whose Origin is not its host: to one from elsewhere, and to our own, of which the referrer
 * policy makes 'null'. So Origin is turned here into the word that newer browsers have for it, and that we check (C27).
 */
function replaceOriginHeader(headers: IncomingHttpHeaders, appUrl: string): void {
  const { origin, host } = headers;
  delete headers.origin;
  if (origin === undefined || headers['sec-fetch-site'] !== undefined) return;
  const otherwise = origin === 'null' ? HIDDEN_ORIGIN : 'cross-site';
  headers['sec-fetch-site'] = isOwnOrigin(origin, host, appUrl) ? 'same-origin' : otherwise;
}

/** Each proxy appends the address it was called from: behind n of them, the n-th from the end is the client's. */
function clientAddress(forwarded: string | string[] | undefined, peer: string | undefined, proxies: number): string {
  const hops = [forwarded ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((hop) => hop.trim());
  const claimed = proxies > 0 ? hops.at(-proxies) : undefined;
  return claimed && isIP(claimed) ? claimed : (peer ?? 'unknown');
}

/** 'http://host/path', which HTTP lets proxies send, is '/path'; anything stranger is '/'. */
function toOriginForm(target: string): string {
  if (target.startsWith('/')) return target;
  if (!URL.canParse(target)) return '/';
  const { pathname, search } = new URL(target);
  return `/${pathname.replace(/^\/+/, '')}${search}`;
}

/**
 * A path that is no UTF-8, or has line ends, which no pattern of the router matches, names nothing of ours: it is
 * taken letter by letter, and not found like any other.
 */
function toDecodablePath(target: string): string {
  const [path = '/'] = target.split('?', 1);
  return isDecodable(path) ? target : path.replaceAll('%', '%25') + target.slice(path.length);
}

function isDecodable(path: string): boolean {
  try {
    return !/[\n\r\u2028\u2029]/.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}
