import type { IncomingMessage, ServerResponse } from 'node:http';

const PATH = '/healthz';

export const HEALTHY = {
  text: 'ok\n',
  headers: { 'cache-control': 'no-store', 'content-type': 'text/plain;charset=UTF-8', 'content-length': '3' },
};

/** Liveness is asked for every few seconds, also of a server that has much to do: without Express and Remix. */
export function isHealthCheck({ method, url }: IncomingMessage): boolean {
  return url === PATH && (method === 'GET' || method === 'HEAD');
}

export function answerHealthCheck(response: ServerResponse): void {
  response.writeHead(200, HEALTHY.headers).end(HEALTHY.text);
}
