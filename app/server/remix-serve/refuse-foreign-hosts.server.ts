import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const MISDIRECTED_REQUEST = 421;
/** Load balancers ask for these by address. */
const HEALTH_CHECKS = ['/healthz', '/readyz'];

/** Answers requests for another host than that of `appUrl` in place of the server's listeners. */
export function refuseForeignHosts(server: Server, appUrl: string): void {
  const listeners = server.listeners('request');
  const text = `This server answers at ${appUrl} only.\n`;
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (isForForeignHost(request, new URL(appUrl).hostname)) {
      const headers = { 'content-type': 'text/plain; charset=utf-8', connection: 'close' };
      response.writeHead(MISDIRECTED_REQUEST, headers).end(text);
    } else {
      for (const listener of listeners) Reflect.apply(listener, server, [request, response]);
    }
  });
}

/** Compares names alone, for a port may be forwarded. What a trusted proxy has forwarded comes first. */
export function isForForeignHost({ headers, url = '/' }: IncomingMessage, hostname: string): boolean {
  if (HEALTH_CHECKS.includes(url.split('?', 1)[0] ?? '')) return false;
  const hosts = String(headers['x-forwarded-host'] ?? headers.host ?? '').split(',');
  return hosts.some((host) => hostnameOf(host.trim()) !== hostname);
}

function hostnameOf(host: string): string | undefined {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined;
}
