import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerBuild } from '@remix-run/node';
import expressStaticGzip from 'express-static-gzip';
import { env } from '#app/env.server.ts';
import { SHUTDOWN_IDLE_MS } from '#db/deadlines.ts';
import { log } from '../log.server.ts';
import { countRequest } from '../observability/count-request.server.ts';
import { droppedPromises } from '../observability/dropped-promises.ts';
import { isMetricsListener, startMetrics } from '../observability/metrics-listener.server.ts';
import type { Metrics } from '../observability/metrics.server.ts';
import { contextOf } from '../observability/request-context.server.ts';
import { logRequest } from '../observability/request-log.server.ts';
import { setRoutes } from '../observability/route-patterns.server.ts';
import { type Handler, type RemixExpress, withApiCalls } from './api-calls.server.ts';
import { addDefaultHeaders } from './default-headers.server.ts';
import { isFileName } from './is-file-name.ts';
import { normalizeRequest } from './normalize-request.server.ts';
import { OpenRequests, isRequestMessage } from './open-requests.server.ts';
import { refuseRequests } from './refuse-requests.server.ts';
import { sendStream } from './send-stream.server.ts';
import { onShutdown } from './shutdown.server.ts';

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => unknown;

declare global {
  /** Global, since the dev server loads this module repeatedly. */
  var serverPatched: true | undefined;
}

const nodeRequire = createRequire(import.meta.url);
const serveRequire = createRequire(nodeRequire.resolve('@remix-run/serve/package.json'));

/** Patches remix-serve once, before its first request. */
export function patchRemixServe(): void {
  if (globalThis.serverPatched) return;
  globalThis.serverPatched = true;
  const metrics = startMetrics();
  trackRequests(metrics);
  reportDroppedPromises(metrics);
  silenceMorgan();
  learnRoutes();
  nodeRequire('@remix-run/node').writeReadableStreamToWritable = sendStream;
  serveCompressedFiles();
}

/** Normalizes or refuses requests before other code sees them, and lets the last response finish at shutdown. */
function trackRequests(metrics: Metrics | undefined): void {
  const exchanges = new OpenRequests();
  const guarded = new WeakSet<Server>();
  subscribe('http.server.request.start', (message) => {
    if (!isRequestMessage(message) || isMetricsListener(message.server)) return;
    // Before the listeners are called, also for the first request.
    if (!guarded.has(message.server)) refuseRequests(message.server, env);
    guarded.add(message.server);
    // Express, Remix and this module wait for its end, a dozen times in all.
    message.response.setMaxListeners(20);
    addDefaultHeaders(message.response);
    normalizeRequest(message.request, env);
    message.response.setHeader('x-request-id', contextOf(message.request).reqId);
    logRequest(message.request, message.response, (request, ended) => {
      if (metrics) countRequest(metrics, request, ended);
    });
    exchanges.add(message);
  });
  onShutdown('announcement', () => {
    exchanges.closeConnections();
    return sleep(env.SHUTDOWN_GRACE_MS);
  });
  onShutdown('work', () => exchanges.drain(env.TRUST_PROXY > 0 ? SHUTDOWN_IDLE_MS : 0));
}

function reportDroppedPromises(metrics: Metrics | undefined): void {
  droppedPromises.subscribe((error) => {
    log.error({ err: error, cause: 'defect' }, 'a promise failed that nobody waited for');
    metrics?.errors.inc({ cause: 'defect' });
  });
}

/** remix-serve logs full URLs by morgan, tokens included, and neither files nor what is refused before Express. */
function silenceMorgan(): void {
  const morgan: { format(name: string, format: () => null): void } = serveRequire('morgan');
  morgan.format('tiny', () => null);
}

/** The build is known to nobody else before it is served. */
function learnRoutes(): void {
  const express: { createRequestHandler(options: { build: ServerBuild }): Handler } =
    serveRequire('@remix-run/express');
  const remixExpress: RemixExpress = serveRequire('@remix-run/express/dist/server.js');
  const { createRequestHandler } = express;
  express.createRequestHandler = (options) => {
    setRoutes(options.build.routes);
    return withApiCalls(options.build, createRequestHandler(options), remixExpress);
  };
}

/** remix-serve would compress each file on each request; the build did it once and better. */
function serveCompressedFiles(): void {
  const express: { static: (root: string, options: object) => Middleware } = serveRequire('express');
  express.static = (root, serveStatic) => {
    const options = { enableBrotli: true, orderPreference: ['br', 'gzip'], index: false as const, serveStatic };
    return forFileNames(expressStaticGzip(root, options));
  };
}

/** Looks for no file where a screen or a call is asked for. */
function forFileNames(serveFile: Middleware): Middleware {
  return (request, response, next) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    return isFileName(path) ? serveFile(request, response, next) : next();
  };
}
