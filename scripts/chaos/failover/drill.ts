import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Db } from '#db/connect.server.ts';
import { migrateToLatest } from '#db/migrate.ts';
import { startMailbox } from '#tests/support/mailbox.ts';
import { checkAcknowledged, checkInvariants } from '../check/invariants.ts';
import { App } from '../lab/app.ts';
import { Front } from '../lab/front.ts';
import { randomFrom } from '../random.ts';
import { describeServerErrors } from '../table.ts';
import { type Crew, startCrew } from '../work/crew.ts';
import { type Cluster, type Kind, KINDS } from './cluster.ts';
import { startManagedCluster } from './managed-cluster.ts';
import { startPlainCluster } from './plain-cluster.ts';
import { endAll, missingPackages } from './programs.ts';

const FAILOVERS = 10;
const WRITES_BETWEEN = 40;
const WRITES_BACK_LIMIT_MS = 60_000;
const WRITES_BACK_TARGET_MS = 2000;

/** Fails over ten times while a school works, and returns the exit code; 2 if a program is missing. */
export async function runDrill({ isPlain, seed }: { isPlain: boolean; seed: number }): Promise<number> {
  const missing = missingPackages({ isPlain });
  if (missing !== undefined) {
    console.log(missing);
    return 2;
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'flightline-failover-'));
  // If root runs the drill, its Postgres runs as another user, who must be let through.
  await chmod(folder, 0o711);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void removeAll(folder).finally(() => process.exit(130)));
  }
  let cluster: Cluster | undefined;
  try {
    cluster = await (isPlain ? startPlainCluster(folder) : startManagedCluster(folder));
    return await drill(cluster, folder, seed);
  } finally {
    await cluster?.stop();
    await removeAll(folder);
  }
}

async function removeAll(folder: string): Promise<void> {
  await endAll(folder);
  await rm(folder, { recursive: true, force: true });
}

async function drill(cluster: Cluster, folder: string, seed: number): Promise<number> {
  const setUp = await connectToPrimary(cluster);
  await migrateToLatest(setUp);
  const [front, mailbox] = [await Front.start(), await startMailbox()];
  const app = new App({
    ...{ DATABASE_URL: cluster.url, SMTP_URL: mailbox.url, APP_URL: front.url },
    ...{ SESSION_SECRET: process.env.SESSION_SECRET ?? '', DATA_DIR: path.join(folder, 'app') },
    WEBHOOK_PRIVATE_TARGETS: '1',
  });
  try {
    await app.start();
    front.upstreams = [app];
    const crew = await startCrew({ db: setUp, front, mailbox }, randomFrom(seed));
    const isBackInTime = await failOverTimes(cluster, crew);
    await crew.stop();
    const db = await connectToPrimary(cluster);
    return await report(db, crew, isBackInTime).finally(() => db.destroy());
  } finally {
    await app.end('SIGKILL');
    await setUp.destroy();
    await front.stop();
    await mailbox.stop();
  }
}

async function connectToPrimary(cluster: Cluster): Promise<Db> {
  return connect(await cluster.primaryUrl(), { max: 2, statementTimeoutMs: 60_000 });
}

/** Returns true if writes were back in time after each failover. */
async function failOverTimes(cluster: Cluster, crew: Crew): Promise<boolean> {
  console.log('| failover | promoted after s | writes back after s | outage s |\n| --- | --- | --- | --- |');
  let isBackInTime = true;
  for (let number = 1; number <= FAILOVERS; number += 1) {
    await crew.acknowledges(WRITES_BETWEEN);
    const kind = KINDS[(number - 1) % KINDS.length] ?? 'kill';
    const { promotedMs, backMs } = await failOver(cluster, crew, kind);
    const seconds = [promotedMs, backMs, promotedMs + backMs].map((ms) => (ms / 1000).toFixed(1));
    console.log(`| ${number} ${kind} | ${seconds.join(' | ')} |`);
    isBackInTime &&= backMs <= WRITES_BACK_TARGET_MS;
    await cluster.rejoin();
  }
  await crew.acknowledges(WRITES_BETWEEN);
  return isBackInTime;
}

async function failOver(cluster: Cluster, { ledger }: Crew, kind: Kind) {
  const start = performance.now();
  await cluster.failOver(kind);
  const promoted = performance.now();
  const before = ledger.acknowledged;
  while (ledger.acknowledged === before && performance.now() - promoted < WRITES_BACK_LIMIT_MS) await sleep(5);
  return { promotedMs: promoted - start, backMs: performance.now() - promoted };
}

async function report(db: Db, crew: Crew, isBackInTime: boolean): Promise<number> {
  const { schoolId, ledger } = crew;
  const { lost, doubled, toldNo } = await checkAcknowledged(db, schoolId, ledger.writes);
  const broken = [...(await checkInvariants(db)), ...(await crew.checkEvents(db))];
  const serverErrors = Object.fromEntries([...ledger.statuses].filter(([status]) => status >= 500));
  const counts = `${lost.length} lost, ${doubled.length} doubled, ${toldNo.length} told no, ${ledger.unknown} unanswered`;
  console.log(`${ledger.acknowledged} acknowledged: ${counts}; 5xx: ${describeServerErrors(serverErrors)}`);
  console.log(`longest answer ${(ledger.longestMs / 1000).toFixed(1)} s, load average ${loadavg()[0]?.toFixed(1)}`);
  for (const sentence of broken) console.log(sentence);
  for (const { marker, status } of [...lost, ...doubled, ...toldNo]) console.log(`${marker} (${status})`);
  if (!isBackInTime) console.log(`Writes were not back within ${WRITES_BACK_TARGET_MS / 1000} s of each promotion.`);
  const wrong = lost.length + doubled.length + toldNo.length + ledger.unknown + broken.length + ledger.answers(500);
  return wrong === 0 && isBackInTime ? 0 : 1;
}
