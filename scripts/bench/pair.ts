import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cpuTimeBetween, cpuTimesOf, processTree } from './support/rounds.ts';
import { median } from './support/figures.ts';
import { type LargeApp, withLargeApp } from './support/large-app.ts';
import { type PgbenchScript, toPgbenchScript } from './support/pgbench-script.ts';
import { inBoth } from './support/recorded-statements.ts';
import { serveProduct, signInAs } from './support/served-product.ts';
import { startRecorder } from './support/statement-recorder.ts';

const CLIENTS = [1, 2, 3, 4];
const SECONDS = 10;
const ROUNDS = 5;
const LIMIT = 0.5;
/**
 * Pairs before the measurement: from the second on, statements are prepared, and readings below the last ones flagged.
 */
const WARM_UP = 2;

/** `npm run bench -- pair [flights]`: check-outs with their check-ins a second by 4 clients, against the same SQL by pgbench. */
export async function bench([flights = '20000']: string[]): Promise<void> {
  await withLargeApp(Number(flights), async (app) => {
    const scripts = await recordPairs(app.databaseUrl);
    const pilots = await Promise.all(
      CLIENTS.map(async (client) => ({ client, cookie: await signInAs(app, pilotOf(client)) })),
    );
    await flyFor(app, pilots, 3);
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const own = await flyFor(app, pilots, SECONDS);
      const plain = sumOf(await Promise.all(scripts.map((script) => runPgbench(app.databaseUrl, script))));
      ratios.push(own.rate / plain);
      console.log(
        `${own.rate.toFixed(1)} pairs a second (${own.process.toFixed(1)} ms of the process, ${own.postgres.toFixed(1)} ms of Postgres), pgbench ${plain.toFixed(1)}`,
      );
    }
    console.log(
      `ratio ${median(ratios).toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}), at least ${LIMIT}`,
    );
    if (median(ratios) < LIMIT) process.exitCode = 1;
  });
}

/** Records what the product sends for a pair of each client, as a script of pgbench. */
async function recordPairs(databaseUrl: string): Promise<PgbenchScript[]> {
  const recorder = await startRecorder(databaseUrl);
  const product = await serveProduct(recorder.url);
  try {
    const scripts: PgbenchScript[] = [];
    for (const client of CLIENTS) {
      const cookie = await signInAs(product, pilotOf(client));
      for (let pair = 0; pair < WARM_UP; pair += 1) await flyOnce(product.base, cookie, client);
      const record = async () => {
        recorder.statements = [];
        const flown = await flyOnce(product.base, cookie, client);
        return { ...flown, statements: recorder.statements };
      };
      const { flightId, keys, statements } = await record();
      // The comparison of two pairs drops statements of the mail worker, which come now and then.
      scripts.push(toPgbenchScript(inBoth(statements, (await record()).statements), flightId, keys));
    }
    return scripts;
  } finally {
    await product.stop();
    await recorder.close();
  }
}

interface Pilot {
  client: number;
  cookie: string;
}

/**
 * Returns pairs a second and milliseconds of processor time a pair; each client has an aircraft and a pilot of its own.
 */
async function flyFor({ base, appPid, postgresPid }: LargeApp, pilots: Pilot[], seconds: number) {
  const times = () => ({ process: cpuTimesOf([appPid]), postgres: cpuTimesOf(processTree(postgresPid)) });
  const before = times();
  const start = performance.now();
  const end = start + seconds * 1000;
  const counts = await Promise.all(
    pilots.map(async ({ client, cookie }) => {
      let pairs = 0;
      for (; performance.now() < end; pairs += 1) await flyOnce(base, cookie, client);
      return pairs;
    }),
  );
  const pairs = sumOf(counts);
  const after = times();
  return {
    rate: (1000 * pairs) / (performance.now() - start),
    process: cpuTimeBetween(before.process, after.process) / pairs,
    postgres: cpuTimeBetween(before.postgres, after.postgres) / pairs,
  };
}

async function flyOnce(base: string, cookie: string, aircraftId: number) {
  const keys = [randomUUID(), randomUUID()] as const;
  const starts = { aircraftId, startHobbsTime: '100000', startTachTime: '100000' };
  const { id: flightId } = await post(`${base}/api/flight-logs`, cookie, keys[0], starts);
  const ends = { endHobbsTime: '100001', endTachTime: '100001' };
  await post(`${base}/api/flight-logs/${flightId}/complete`, cookie, keys[1], ends);
  return { flightId, keys };
}

async function post(url: string, cookie: string, key: string, body: object): Promise<{ id: number }> {
  const headers = { cookie, origin: new URL(url).origin, 'content-type': 'application/json', 'idempotency-key': key };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as { id: number };
}

async function runPgbench(databaseUrl: string, { sql, variables }: PgbenchScript): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'flightline-pair-'));
  const file = path.join(folder, 'pair.sql');
  await writeFile(file, sql);
  const defined = Object.entries(variables).map(([name, value]) => `--define=${name}=${value}`);
  const options = ['-n', '-T', String(SECONDS), '-M', 'extended', ...defined, '-f', file, databaseUrl];
  const child = spawn('pgbench', options, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(child, 'close');
  await rm(folder, { recursive: true });
  const pairs = Number(/tps = ([\d.]+)/.exec(output)?.[1]);
  if (!pairs) throw new Error('pgbench is needed: Debian has it in postgresql-contrib');
  return pairs;
}

function pilotOf(client: number): string {
  return `u${client + 2}`;
}

function sumOf(numbers: number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
