import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parse } from 'csv-parse/sync';
import { stopEngine } from '#app/domain/meters/engine.server.ts';
import { readMeter } from '#app/domain/meters/read-meter.server.ts';
import { stopTesseract } from '#app/domain/meters/tesseract.server.ts';

interface Row {
  file: string;
  digits: string;
  kind: string;
}

interface Result {
  kind: string;
  right: boolean;
  sure: boolean;
  ms: number;
}

/** Reads the labelled photos of a folder (an argument, METERS_DIR, or ../shared/meters) and prints a table by kind. */
export async function bench([given]: string[]): Promise<void> {
  const folder = path.resolve(given ?? process.env['METERS_DIR'] ?? '../shared/meters');
  const list = path.join(folder, 'dev.csv');
  if (!existsSync(list)) {
    console.error(`No photos to measure with: ${list} is not there. Give the folder as an argument or in METERS_DIR.`);
    process.exitCode = 1;
    return;
  }
  const rows: Row[] = parse(await readFile(list), { columns: true });
  const delay = monitorEventLoopDelay({ resolution: 5 });
  await measure(folder, rows[0]!); // starts the engine
  delay.enable();
  const results: Result[] = [];
  for (const row of rows) results.push(await measure(folder, row));
  delay.disable();
  for (const kind of ['all', ...new Set(rows.map((row) => row.kind))]) print(kind, results);
  const rss = process.memoryUsage().rss / 2 ** 20;
  console.log(`Event loop delayed by ${(delay.percentile(99) / 1e6).toFixed(0)} ms at p99; ${rss.toFixed(0)} MiB resident.`);
  await Promise.all([stopEngine(), stopTesseract()]);
}

async function measure(folder: string, { file, digits, kind }: Row): Promise<Result> {
  const photo = await readFile(path.join(folder, file));
  const started = performance.now();
  const { detectedText, confidence } = await readMeter(photo, { meterType: kind.includes('tach') ? 'tachometer' : 'hobbs' });
  const right = plain(detectedText) === plain(digits);
  return { kind, right, sure: confidence >= 0.8, ms: performance.now() - started };
}

/** As one whole number: without point and leading zeros. */
function plain(reading: string): string {
  return reading.replace('.', '').replace(/^0+/, '');
}

function print(kind: string, results: Result[]): void {
  const own = results.filter((result) => kind === 'all' || result.kind === kind);
  const sure = own.filter((result) => result.sure);
  const share = (part: Result[], of: Result[]) => `${((100 * part.length) / Math.max(of.length, 1)).toFixed(1)} %`.padStart(8);
  const median = own.map(({ ms }) => ms).sort((a, b) => a - b)[own.length >> 1] ?? 0;
  const right = share(own.filter((one) => one.right), own);
  const rightOfSure = share(sure.filter((one) => one.right), sure);
  console.log(
    `${kind.padEnd(16)} ${String(own.length).padStart(4)} photos, right ${right}; sure of ${share(sure, own)}, right of these ${rightOfSure}; ${median.toFixed(0)} ms`,
  );
}
