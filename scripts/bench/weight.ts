import { gzipSync } from 'node:zlib';
import { paths } from '#app/paths.ts';
import type { FullSchool } from '#tests/support/fixtures.ts';
import { printTable } from './support/figures.ts';
import { BASE, fillLists, type Visit, visits, withServedApp } from './support/served-app.ts';

/**
 * Limits in bytes: the document with fifty rows after gzip, all styles and all scripts as the build compressed them.
 */
const LIMITS = { html: 14_000, css: 11_000, js: 86_000 };
const MAX_WORKER_BYTES = 8000;

interface Weight {
  screen: string;
  html: number;
  css: number;
  js: number;
}

/** Transferred bytes per screen, for an administrator with full lists. */
export async function bench(): Promise<void> {
  await withServedApp(async ({ db, school }) => {
    await fillLists(db, school);
    print(await weighAll(school));
    const worker = await fetch(BASE + paths.deviceWorker);
    printWorker(gzipSync(await worker.text()).length);
  });
}

async function weighAll(school: FullSchool): Promise<Weight[]> {
  const weights: Weight[] = [];
  for await (const visit of visits(school)) weights.push(await weigh(visit));
  return weights;
}

async function weigh({ path, cookie }: Visit): Promise<Weight> {
  const document = await fetch(BASE + path, { headers: { cookie }, redirect: 'error' });
  const html = await document.text();
  // The search keeps to what the page loads; it also names assets of other pages.
  const loaded = html.matchAll(/(?:href=|src=|from |import )"(\/assets\/[^"]+)"/g);
  const assets = [...new Set([...loaded].map(([, asset = '']) => asset))];
  const sizes = await Promise.all(assets.map(async (asset) => ({ asset, size: await sizeOf(asset) })));
  const sum = (ending: string) =>
    sizes.filter(({ asset }) => asset.endsWith(ending)).reduce((total, { size }) => total + size, 0);
  return { screen: path.slice(0, 32), html: gzipSync(html).length, css: sum('.css'), js: sum('.js') };
}

const known = new Map<string, Promise<number>>();

function sizeOf(asset: string): Promise<number> {
  const size = known.get(asset) ?? fetchSize(asset);
  known.set(asset, size);
  return size;
}

async function fetchSize(asset: string): Promise<number> {
  const { headers } = await fetch(BASE + asset, { method: 'HEAD', headers: { 'accept-encoding': 'br' } });
  return Number(headers.get('content-length'));
}

/** Marks a weight above its limit, which fails the run. */
function print(weights: Weight[]): void {
  const columns = ['html', 'css', 'js'] as const;
  const heavy = (weight: Weight) => columns.filter((column) => weight[column] > LIMITS[column]);
  const rows = weights.map((weight) => [
    weight.screen,
    ...columns.map((column) => `${weight[column]}${heavy(weight).includes(column) ? '!' : ''}`),
  ]);
  printTable(
    ['compressed bytes', ...columns],
    [...rows, ['at most', ...columns.map((column) => String(LIMITS[column]))]],
  );
  if (weights.some((weight) => heavy(weight).length > 0)) process.exitCode = 1;
}

function printWorker(bytes: number): void {
  console.log(`service worker: ${bytes} of ${MAX_WORKER_BYTES}`);
  if (bytes > MAX_WORKER_BYTES) process.exitCode = 1;
}
