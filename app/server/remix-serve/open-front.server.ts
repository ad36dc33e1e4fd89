import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { env } from '#app/env.server.ts';
import { SHUTDOWN_IDLE_MS } from '#db/deadlines.ts';
import { log } from '../log.server.ts';
import { countRequest } from '../observability/count-request.server.ts';
import { droppedPromises } from '../observability/dropped-promises.ts';
import { startMetrics } from '../observability/metrics-listener.server.ts';
import { createFront, type Inside } from './front.server.ts';
import { OpenRequests } from './open-requests.server.ts';
import { onShutdown } from './shutdown.server.ts';

/** The server of this process, counted in its metrics; it drains when the process ends. */
export function openFront(inside: Inside): Server {
  const metrics = startMetrics();
  const open = new OpenRequests();
  const server = createFront(env, inside, {
    open,
    count: (request, ended) => metrics && countRequest(metrics, request, ended),
  });
  onShutdown('announcement', () => {
    open.closeConnections();
    return sleep(env.SHUTDOWN_GRACE_MS);
  });
  onShutdown('work', () => open.drain(server, env.TRUST_PROXY > 0 ? SHUTDOWN_IDLE_MS : 0));
  droppedPromises.subscribe((error) => {
    log.error({ err: error, cause: 'defect' }, 'a promise failed that nobody waited for');
    metrics?.errors.inc({ cause: 'defect' });
  });
  return server;
}
