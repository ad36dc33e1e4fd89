import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { REQUEST_DATABASE_MS } from '#db/deadlines.ts';
import { memoryOf, resetPeak } from './memory.ts';
import type { BenchDatabase } from './bench-databases.ts';
import type { Finding } from './figures.ts';
import { MAX_LOOP_DELAY_MS, MAX_WHOLE_LIST_MB } from './limits.ts';
import { type Served, serveProduct, signInAs } from './served-product.ts';

const WATCH = './scripts/bench/support/loop-watch.mjs';
const LISTS = ['/api/flight-logs', '/api/flight-logs?aircraftId=1'];

/** What a list without a limit costs the process that answers it: its memory, and how long other requests wait. */
export async function measureWholeLists({ size, url }: BenchDatabase): Promise<Finding[]> {
  const product = await serveProduct(url, { preload: WATCH, waitMs: REQUEST_DATABASE_MS });
  try {
    const cookie = await signInAs(product);
    const findings: Finding[] = [];
    for (const path of LISTS) {
      await download(product, '/api/aircraft', cookie);
      await sleep(1000);
      await product.ask();
      const { now } = memoryOf(product.pid);
      resetPeak(product.pid);
      const { status, bytes } = await download(product, path, cookie);
      const { longest } = await product.ask();
      const grown = memoryOf(product.pid).peak - now;
      console.log(
        `${size}: GET ${path} answered ${status}, ${(bytes / 1e6).toFixed(1)} MB: memory +${grown.toFixed(0)} MB, loop held ${longest.toFixed(0)} ms at most`,
      );
      const isWhole = status === 200;
      findings.push(
        { what: `GET ${path}, MB of memory`, value: isWhole ? grown : NaN, limit: MAX_WHOLE_LIST_MB },
        { what: `GET ${path}, ms that the loop is held`, value: isWhole ? longest : NaN, limit: MAX_LOOP_DELAY_MS },
      );
    }
    return findings;
  } finally {
    await product.stop();
  }
}

/** Status 0 for an answer that broke off. */
function download({ base }: Served, path: string, cookie: string): Promise<{ status: number; bytes: number }> {
  return new Promise((resolve) => {
    let bytes = 0;
    const sent = request(base + path, { headers: { cookie }, agent: false }, (answer) =>
      answer
        .on('data', (chunk: Buffer) => (bytes += chunk.length))
        .on('error', () => resolve({ status: 0, bytes }))
        .on('end', () => resolve({ status: answer.statusCode ?? 0, bytes })),
    );
    sent.on('error', () => resolve({ status: 0, bytes })).end();
  });
}
