import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { poolStateOf } from '#db/connect.server.ts';
import { photosPending } from '#app/domain/meters/photo-turns.server.ts';
import type { EventBacklog } from '#app/domain/webhooks/queries.server.ts';
import { env } from '#app/env.server.ts';
import { db } from '../db.server.ts';
import { exportDb } from '../export-db.server.ts';
import { exportsRunning } from '../export-slots.server.ts';
import type { Metrics } from './metrics.server.ts';
import { DATABASE_STATES, probeDatabase } from './probe-database.server.ts';

const FOLDERS = { data: env.DATA_DIR, uploads: tmpdir() };

/** Sets the gauges that are asked for at each scrape only. */
export async function collectGauges(metrics: Metrics): Promise<void> {
  collectPools(metrics);
  const photos = photosPending();
  metrics.photos.set({ state: 'running' }, photos.running);
  metrics.photos.set({ state: 'waiting' }, photos.waiting);
  metrics.exports.set(exportsRunning());
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
  const { databaseState, ready, outboxWaiting, outboxOldest, outboxRefused, clockOff, clockStep } = metrics;
  const { state, hasSchema, clockDifferenceS = 0, outbox, webhooks } = await probeDatabase(env.DATABASE_URL);
  for (const each of DATABASE_STATES) databaseState.set({ state: each }, each === state ? 1 : 0);
  ready.set(state === 'up' && hasSchema ? 1 : 0);
  clockOff.set(Math.max(clockDifferenceS, clockStep()));
  // An absent value is better than an old one while nobody knows.
  outboxWaiting.remove();
  outboxOldest.remove();
  outboxRefused.remove();
  collectWebhooks(metrics, webhooks);
  if (!outbox) return;
  outboxWaiting.set(outbox.waiting);
  outboxOldest.set(outbox.oldestSeconds);
  outboxRefused.set(outbox.refused);
}

function collectWebhooks(
  { webhookEvents, webhookOldest, webhooksFailing }: Metrics,
  backlog: EventBacklog | undefined,
): void {
  for (const gauge of [webhookEvents, webhookOldest, webhooksFailing]) gauge.remove();
  if (!backlog) return;
  webhookEvents.set(backlog.waiting);
  webhookOldest.set(backlog.oldestSeconds);
  webhooksFailing.set(backlog.failingWebhooks);
}

async function collectDisks({ diskFree }: Metrics): Promise<void> {
  for (const [folder, place] of Object.entries(FOLDERS)) {
    const disk = await statfs(place).catch(() => undefined);
    if (disk) diskFree.set({ folder }, disk.bavail / disk.blocks);
  }
}
