import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { HIDDEN_FETCH_SITE, isOwnOrigin } from '../same-origin.server.ts';

interface ProxySettings {
  APP_URL: string;
  TRUST_PROXY: number;
}

/** Also sets `x-request-id`, and `x-client-address`: the socket's address, or what the outermost trusted proxy saw (docs/decisions/021). */
export function normalizeRequest(request: IncomingMessage, settings: ProxySettings): void {
  const { headers, socket } = request;
  headers['x-client-address'] = clientAddress(headers['x-forwarded-for'], socket.remoteAddress, settings.TRUST_PROXY);
  headers['x-request-id'] = randomUUID();
  if (settings.TRUST_PROXY === 0) {
    for (const name of ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto']) delete headers[name];
  }
  replaceOriginHeader(headers, settings.APP_URL);
  request.url = toDecodablePath(toOriginForm(request.url ?? '/'));
}

/** Each proxy appends its peer's address, so the n-th from the end is what the outermost of n proxies saw. */
function clientAddress(forwarded: string | string[] | undefined, peer: string | undefined, proxies: number): string {
  const hops = [forwarded ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((hop) => hop.trim());
  const claimed = proxies > 0 ? hops.at(-proxies) : undefined;
  return claimed && isIP(claimed) ? claimed : (peer ?? 'unknown');
}

/** Remix answers 500 to a form whose Origin is not its host, so Origin becomes the Sec-Fetch-Site of newer browsers. */
function replaceOriginHeader(headers: IncomingHttpHeaders, appUrl: string): void {
  const { origin, host } = headers;
  delete headers.origin;
  if (origin === undefined || headers['sec-fetch-site']) return;
  const otherwise = origin === 'null' ? HIDDEN_FETCH_SITE : 'cross-site';
  headers['sec-fetch-site'] = isOwnOrigin(origin, host, appUrl) ? 'same-origin' : otherwise;
}

/** The path of 'http://host/path', which proxies may send. */
function toOriginForm(target: string): string {
  if (target.startsWith('/')) return target;
  if (!URL.canParse(target)) return '/';
  const { pathname, search } = new URL(target);
  return `/${pathname.replace(/^\/+/, '')}${search}`;
}

/** A path that is not UTF-8 or has line ends matches no route; escaped it is a plain 404. */
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
