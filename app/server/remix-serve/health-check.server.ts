import type { IncomingMessage } from 'node:http';

export const HEALTHY = {
  text: 'ok\n',
  headers: { 'cache-control': 'no-store', 'content-type': 'text/plain;charset=UTF-8', 'content-length': '3' },
};

export function isHealthCheck({ method, url }: IncomingMessage): boolean {
  return url === '/healthz' && (method === 'GET' || method === 'HEAD');
}
