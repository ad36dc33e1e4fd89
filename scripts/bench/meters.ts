import { monitorEventLoopDelay } from 'node:perf_hooks';
import { stopEngine } from '#app/domain/meters/engine.server.ts';
import { readMeter } from '#app/domain/meters/read-meter.server.ts';
import { stopTesseract } from '#app/domain/meters/tesseract.server.ts';
import { type Labelled, labelledPhotos, type Outcome, outcomeOf, summary } from './support/labelled-photos.ts';

/** Reads the labelled photos of a folder (an argument, METERS_DIR, or ../shared/meters) and prints a table by kind. */
export async function bench([given]: string[]): Promise<void> {
  const photos = await labelledPhotos(given);
  if (!photos) return;
  const delay = monitorEventLoopDelay({ resolution: 5 });
  await measure(photos[0]!); // starts the engine
  delay.enable();
  const results: (Outcome & { kind: string; ms: number })[] = [];
  for (const photo of photos) results.push(await measure(photo));
  delay.disable();
  for (const kind of ['all', ...new Set(photos.map((photo) => photo.kind))]) {
    const own = results.filter((result) => kind === 'all' || result.kind === kind);
    const median = own.map(({ ms }) => ms).sort((a, b) => a - b)[own.length >> 1] ?? 0;
    console.log(`${summary(kind, own)}; ${median.toFixed(0)} ms`);
  }
  const rss = process.memoryUsage().rss / 2 ** 20;
  console.log(
    `Event loop delayed by ${(delay.percentile(99) / 1e6).toFixed(0)} ms at p99; ${rss.toFixed(0)} MiB resident.`,
  );
  await Promise.all([stopEngine(), stopTesseract()]);
}

async function measure(photo: Labelled) {
  const content = await photo.content();
  const started = performance.now();
  const reading = await readMeter(content, { meterType: photo.meterType });
  return { kind: photo.kind, ...outcomeOf(reading, photo), ms: performance.now() - started };
}
