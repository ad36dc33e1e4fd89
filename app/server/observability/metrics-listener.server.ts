import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { env } from '#app/env.server.ts';
import { log } from '../log.server.ts';
import { onShutdown } from '../remix-serve/shutdown.server.ts';
import { createMetrics, type Metrics } from './metrics.server.ts';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { poolStateOf } from '#db/connect.server.ts';
import type { BackupStatus } from '#app/domain/backups/backup-records.server.ts';
import { JOB_KINDS } from '#app/domain/jobs/job.ts';
import { exportPlaces, photoQueue } from '#app/domain/turns/queues.server.ts';
import { db } from '../db.server.ts';
import { exportDb } from '../api/exports.server.ts';
import { DATABASE_STATES, type DatabaseProbe, probeDatabase } from './probe-database.server.ts';

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

const FOLDERS = { data: env.DATA_DIR, uploads: tmpdir() };

/** Sets the gauges that are asked for at each scrape only. */
export async function collectGauges(metrics: Metrics): Promise<void> {
  collectPools(metrics);
  metrics.photos.set({ state: 'running' }, photoQueue.running);
  metrics.photos.set({ state: 'waiting' }, photoQueue.waiting);
  metrics.exports.set(exportPlaces.running);
  await Promise.all([collectDatabase(metrics), collectDisks(metrics)]);
}

function collectPools({ connections, poolWaiting }: Metrics): void {
  for (const [pool, database] of Object.entries({ pages: db, exports: exportDb })) {
    const { total, idle, waiting } = poolStateOf(database);
    connections.set({ pool, state: 'idle' }, idle);
    connections.set({ pool, state: 'busy' }, total - idle);
    poolWaiting.set({ pool }, waiting);
  }
}

async function collectDatabase(metrics: Metrics): Promise<void> {
  const { databaseState, ready, clockOff, clockStep } = metrics;
  const { state, hasSchema, clockDifferenceS = 0, backup, ...backlogs } = await probeDatabase(env.DATABASE_URL);
  for (const each of DATABASE_STATES) databaseState.set({ state: each }, each === state ? 1 : 0);
  ready.set(state === 'up' && hasSchema ? 1 : 0);
  clockOff.set(Math.max(clockDifferenceS, clockStep()));
  collectJobs(metrics, backlogs);
  collectBackup(metrics, backup);
}

/** Absent rather than old while nobody knows. */
function collectJobs(
  { jobsWaiting, jobsOldest, jobsGivenUp, webhooksFailing }: Metrics,
  { jobs, failingWebhooks }: Pick<DatabaseProbe, 'jobs' | 'failingWebhooks'>,
): void {
  for (const gauge of [jobsWaiting, jobsOldest, jobsGivenUp]) gauge.reset();
  webhooksFailing.remove();
  if (!jobs || failingWebhooks === undefined) return;
  for (const kind of JOB_KINDS) {
    const backlog = jobs.find((each) => each.kind === kind);
    jobsWaiting.set({ kind }, backlog?.waiting ?? 0);
    jobsOldest.set({ kind }, backlog?.oldestSeconds ?? 0);
    jobsGivenUp.set({ kind }, backlog?.givenUp ?? 0);
  }
  webhooksFailing.set(failingWebhooks);
}

function collectBackup(
  { backupAge, backupBytes, backupVerifiedAge, backupCopyFailed }: Metrics,
  backup: BackupStatus | undefined,
): void {
  const set = (gauge: typeof backupAge, value: number | undefined) =>
    value === undefined ? gauge.remove() : gauge.set(value);
  set(backupAge, backup?.ageSeconds);
  set(backupBytes, backup?.last?.bytes);
  set(backupCopyFailed, backup?.last && (backup.last.copyFailure === null ? 0 : 1));
  set(backupVerifiedAge, backup?.unprovenSeconds);
}

async function collectDisks({ diskFree }: Metrics): Promise<void> {
  for (const [folder, place] of Object.entries(FOLDERS)) {
    const disk = await statfs(place).catch(() => undefined);
    if (disk) diskFree.set({ folder }, disk.bavail / disk.blocks);
  }
}
