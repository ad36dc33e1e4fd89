import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { env } from '#app/env.server.ts';
import { log } from '../log.server.ts';
import { onShutdown } from '../remix-serve/shutdown.server.ts';
import { collectGauges } from './collect-gauges.server.ts';
import { createMetrics, type Metrics } from './metrics.server.ts';

const LOOPBACK = '127.0.0.1';

/** Serves the metrics at METRICS_PORT, to this machine only; undefined if it is not set. */
export function startMetrics(): Metrics | undefined {
  if (env.METRICS_PORT === undefined) return undefined;
  const metrics = createMetrics();
  const server = createServer((request, response) => void answer(metrics, request, response));
  server.on('error', (error) =>
    log.error({ err: error }, `METRICS_PORT ${env.METRICS_PORT} cannot be opened: this process serves no metrics`),
  );
  server.listen(env.METRICS_PORT, LOOPBACK, () => {
    const address = server.address();
    if (typeof address === 'object') log.info(`metrics at http://${LOOPBACK}:${address?.port}/metrics`);
  });
  server.unref();
  onShutdown('pools', async () => server.close());
  return metrics;
}

async function answer(metrics: Metrics, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // A page of another site reaches this address by a name of its own.
  if (!/^(localhost|127\.0\.0\.1)(:\d+)?$/.test(request.headers.host ?? '')) return void response.writeHead(421).end();
  if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end();
  try {
    await collectGauges(metrics);
    response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(await metrics.registry.metrics());
  } catch (error) {
    log.error({ err: error }, 'the metrics could not be collected');
    response.writeHead(500).end();
  }
}
