import { readdirSync, readFileSync } from 'node:fs';
import { median } from './support/figures.ts';
import { BASE, type ServedApp, signIn, withServedApp } from './support/served-app.ts';

const OTHER_PORT = 4791;
const METRICS_PORT = 4792;
const OTHER = BASE.replace(/\d+$/, String(OTHER_PORT));
const ROUNDS = 40;
const REQUESTS_A_ROUND = 60;
const WARM_UP_ROUNDS = 6;
const SCRAPES = 40;
const SCRAPE_INTERVAL_MS = 15_000;
const LIMIT = 0.02;
const PATHS = ['/airplanes', '/api/user', '/flight-logs', '/api/flight-logs/open', '/login'];

/** Processor time of a request with and without metrics, in turns on one database, and of a scrape. */
export async function bench(): Promise<void> {
  await withServedApp(async ({ pid, serveToo, school }: ServedApp) => {
    const measured = await serveToo(OTHER_PORT, { METRICS_PORT: String(METRICS_PORT), APP_URL: BASE });
    const cookie = await signIn(school.administrator.username);
    const sides = [
      { base: BASE, pid, costs: [] as number[] },
      { base: OTHER, pid: measured, costs: [] as number[] },
    ];
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
      // Each goes first as often as second.
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        const cost = await costOf(side.pid, REQUESTS_A_ROUND, (at) => request(side.base, at, cookie));
        if (round >= 0) side.costs.push(cost);
      }
    }
    const [without = 0, withMetrics = 0] = sides.map(({ costs }) => median(costs));
    const scrape = await costOf(measured, SCRAPES, () => fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`));
    print({ without, withMetrics, scrape });
  });
}

function print(costs: { without: number; withMetrics: number; scrape: number }): void {
  const ratio = costs.withMetrics / costs.without;
  const scrapes = costs.scrape / SCRAPE_INTERVAL_MS;
  console.log(
    `a request without metrics ${costs.without.toFixed(3)} ms, with ${costs.withMetrics.toFixed(3)} ms of CPU`,
  );
  console.log(`ratio ${ratio.toFixed(4)}, at most ${1 + LIMIT}`);
  console.log(`a scrape ${costs.scrape.toFixed(2)} ms: ${(100 * scrapes).toFixed(3)} % of a core at one in 15 s`);
  if (ratio > 1 + LIMIT || scrapes > LIMIT) process.exitCode = 1;
}

async function request(base: string, at: number, cookie: string): Promise<Response> {
  const answer = await fetch(base + PATHS[at % PATHS.length], { headers: { cookie }, redirect: 'manual' });
  await answer.arrayBuffer();
  return answer;
}

/** Milliseconds of processor time that one call takes, on all threads of the process. */
async function costOf(pid: number, count: number, work: (at: number) => Promise<Response>): Promise<number> {
  const before = threadsTime(pid);
  for (let at = 0; at < count; at += 1) await work(at);
  return (threadsTime(pid) - before) / count;
}

function threadsTime(pid: number): number {
  return readdirSync(`/proc/${pid}/task`)
    .map((id) => Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]) / 1e6)
    .reduce((sum, each) => sum + each, 0);
}
