import { loadavg } from 'node:os';
import { memoryOf, resetPeak } from './support/memory.ts';
import { ensureBuild } from '../launcher/build.ts';
import { cpuSeconds } from './support/cpu.ts';
import { withFreshDatabase } from './support/fresh-database.ts';
import { fillSchools } from './support/large-school.ts';
import { MAX_LOOP_DELAY_MS } from './support/limits.ts';
import { type Served, serveProduct, signInAs } from './support/served-product.ts';

const WATCH = './scripts/bench/support/loop-watch.mjs';
const ROUNDS = 3;

/** `npm run bench -- sheet [flights]`: what the spreadsheet of so many flights costs, and how long its longest step holds the loop. */
export async function bench([flights = '100000']: string[]): Promise<void> {
  await ensureBuild();
  await withFreshDatabase(async ({ db, url }) => {
    await fillSchools(db, Number(flights));
    const served = await serveProduct(url, { preload: WATCH });
    try {
      const cookie = await signInAs(served);
      console.log(`${flights} flights, load average ${loadavg()[0]?.toFixed(1)}`);
      for (let round = 0; round < ROUNDS; round += 1) await measure(served, cookie);
    } finally {
      await served.stop();
    }
  });
}

async function measure(served: Served, cookie: string): Promise<void> {
  await served.ask();
  const before = cpuSeconds(served.pid);
  const { now } = memoryOf(served.pid);
  resetPeak(served.pid);
  const answer = await fetch(`${served.base}/api/flight-logs/export.xlsx`, { headers: { cookie } });
  const bytes = (await answer.arrayBuffer()).byteLength;
  const { longest } = await served.ask();
  const grown = memoryOf(served.pid).peak - now;
  console.log(
    `${answer.status}, ${(bytes / 1e6).toFixed(1)} MB: process ${(cpuSeconds(served.pid) - before).toFixed(2)} s, ` +
      `memory +${grown.toFixed(0)} MB, longest step ${longest.toFixed(0)} ms of its processor time, at most ${MAX_LOOP_DELAY_MS}`,
  );
  if (answer.status !== 200 || longest > MAX_LOOP_DELAY_MS) process.exitCode = 1;
}
