import { monitorEventLoopDelay } from 'node:perf_hooks';
import { stopEngine } from '#app/domain/meters/engine.server.ts';
import { readMeter } from '#app/domain/meters/read-meter.server.ts';
import { stopTesseract } from '#app/domain/meters/tesseract.server.ts';
import {
  type LabelledPhoto,
  findLabelledPhotos,
  type Outcome,
  outcomeOf,
  summarize,
} from './support/labelled-photos.ts';

/** Reads labelled photos and prints how well and how fast, by kind of meter. */
export async function bench([folder]: string[]): Promise<void> {
  const photos = await findLabelledPhotos(folder);
  if (!photos) return;
  const loopDelay = monitorEventLoopDelay({ resolution: 5 });
  await measure(photos[0]!); // Starts the engine.
  loopDelay.enable();
  const results: (Outcome & { kind: string; ms: number })[] = [];
  for (const photo of photos) results.push(await measure(photo));
  loopDelay.disable();
  for (const kind of ['all', ...new Set(photos.map((photo) => photo.kind))]) {
    const ofKind = results.filter((result) => kind === 'all' || result.kind === kind);
    const median = ofKind.map(({ ms }) => ms).sort((a, b) => a - b)[ofKind.length >> 1] ?? 0;
    console.log(`${summarize(kind, ofKind)}; ${median.toFixed(0)} ms`);
  }
  const rss = process.memoryUsage().rss / 2 ** 20;
  console.log(
    `Event loop delayed by ${(loopDelay.percentile(99) / 1e6).toFixed(0)} ms at p99; ${rss.toFixed(0)} MiB resident.`,
  );
  await Promise.all([stopEngine(), stopTesseract()]);
}

async function measure(photo: LabelledPhoto) {
  const content = await photo.content();
  const startedAt = performance.now();
  const reading = await readMeter(content, { meterType: photo.meterType });
  return { kind: photo.kind, ...outcomeOf(reading, photo), ms: performance.now() - startedAt };
}
