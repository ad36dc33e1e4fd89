import { readFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf, resetPeak } from './support/memory.ts';
import { ensureBuild } from '../launcher/build.ts';
import { cpuSeconds } from './support/cpu.ts';
import { withFreshDatabase } from './support/fresh-database.ts';
import { flightsAsCsv } from './support/flights-csv.ts';
import { fillSchools } from './support/large-school.ts';
import { type Served, serveProduct, signInAs } from './support/served-product.ts';

const WATCH = './scripts/bench/support/loop-watch.mjs';
const AIRCRAFT = 20;
const LIMIT_S = 60;
const PROBE_EVERY_MS = 250;
/** Every request ends sooner, with 503. */
const PROBE_LIMIT_MS = 5000;

/** `npm run bench -- import [flights]`: a CSV of so many flights by a call, and the same file again, while others check out. */
export async function bench([flights = '50000']: string[]): Promise<void> {
  await ensureBuild();
  await withFreshDatabase(async ({ db, url, folder }) => {
    await fillSchools(db, 0);
    const [pid = ''] = (await readFile(path.join(folder, 'postgres/data/postmaster.pid'), 'utf8')).split('\n');
    const served = await serveProduct(url, { preload: WATCH, waitMs: PROBE_LIMIT_MS });
    try {
      const cookie = await signInAs(served);
      const file = flightsAsCsv(Number(flights));
      console.log(`${flights} flights, ${(file.length / 1e6).toFixed(1)} MB, load average ${loadavg()[0]?.toFixed(1)}`);
      for (const title of ['import', 'the same again']) await measure(title, served, Number(pid), { cookie, file });
    } finally {
      await served.stop();
    }
  });
}

interface Sent {
  cookie: string;
  file: string;
}

async function measure(title: string, served: Served, postgresPid: number, sent: Sent): Promise<void> {
  await served.ask();
  const [process_, postgres] = [cpuSeconds(served.pid), cpuSeconds(postgresPid)];
  const { now } = memoryOf(served.pid);
  resetPeak(served.pid);
  const probes = probeCheckOuts(served, sent.cookie);
  const start = performance.now();
  const answer = await importFlights(served, sent);
  const seconds = (performance.now() - start) / 1000;
  const { longest, statuses } = await probes.stop();
  console.log(`${title}: ${seconds.toFixed(1)} s, at most ${LIMIT_S}; ${answer}`);
  console.log(
    `  process ${(cpuSeconds(served.pid) - process_).toFixed(1)} s, Postgres ${(cpuSeconds(postgresPid) - postgres).toFixed(1)} s, loop held ${(await served.ask()).longest.toFixed(0)} ms at most, memory +${(memoryOf(served.pid).peak - now).toFixed(0)} MB`,
  );
  console.log(`  check-outs meanwhile waited ${longest.toFixed(0)} ms at most: ${statuses}`);
  if (seconds > LIMIT_S) process.exitCode = 1;
}

/** Waits for the end of an import that is under way when the call answers. */
async function importFlights({ base }: Served, { cookie, file }: Sent): Promise<string> {
  const body = new FormData();
  body.set('kind', 'flights');
  body.set('file', new File([file], 'flights.csv'));
  const headers = { cookie, origin: base };
  let answer = await fetch(`${base}/api/imports`, { method: 'POST', headers, body });
  for (;;) {
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${answer.status} ${text.slice(0, 500)}`);
    const { id, state, failure } = JSON.parse(text) as { id: number; state: string; failure: string | null };
    if (state !== 'applying') return failure ?? text;
    await sleep(200);
    answer = await fetch(`${base}/api/imports/${id}`, { headers });
  }
}

function probeCheckOuts({ base }: Served, cookie: string) {
  const statuses = new Map<number, number>();
  let longest = 0;
  let stopped = false;
  const probe = async (n: number) => {
    const input = { aircraftId: (n % AIRCRAFT) + 1, startHobbsTime: '100000.0', startTachTime: '100000.0' };
    const headers = { cookie, origin: base, 'content-type': 'application/json' };
    const start = performance.now();
    const body = JSON.stringify(input);
    const { status } = await fetch(`${base}/api/flight-logs`, { method: 'POST', headers, body }).catch(() => ({
      status: 0,
    }));
    longest = Math.max(longest, performance.now() - start);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  };
  const run = async () => {
    const sent: Promise<void>[] = [];
    for (let n = 0; !stopped; n += 1) {
      sent.push(probe(n));
      await sleep(PROBE_EVERY_MS);
    }
    await Promise.all(sent);
  };
  const running = run();
  return {
    stop: async () => {
      stopped = true;
      await running;
      return { longest, statuses: [...statuses].map(([status, times]) => `${times} of ${status}`).join(', ') };
    },
  };
}
