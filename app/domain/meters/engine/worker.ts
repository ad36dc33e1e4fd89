import { parentPort, workerData } from 'node:worker_threads';
import { type GrayscaleImage, RgbImage, toGrayscale } from './grayscale.ts';
import type { MeterContext } from './meter-context.ts';
import { findExpectedReading, type ExpectedReading } from './last-reading.ts';
import { loadNets, type NetName, type RunNet } from './nets.server.ts';
import { readCounter, type CounterReading, stripOf } from './reader.ts';

/** A photo to read: sRGB, three bytes a pixel. */
export interface EngineRequest extends MeterContext {
  rgb: Uint8Array;
  rows: number;
  columns: number;
}

/** What the photo shows most likely; without `best`, no counter was found. */
export interface EngineResult {
  best?: Omit<CounterReading, 'steps'> & { strip: GrayscaleImage };
  /** The worth of the best of the other sightings that show something else. */
  rival: number;
  expected?: ExpectedReading | undefined;
}

/** What the thread starts with; it writes its id into the shared number. */
export interface ThreadData {
  models: Record<NetName, string>;
  threadId: Int32Array;
}

export type WorkerMessage = { ready: true } | { answer: EngineResult } | { failed: string };

const port = parentPort;
if (!port) throw new Error('the engine runs as a thread');
const send = (reply: WorkerMessage) => port.postMessage(reply);

const nets = loadNets((workerData as ThreadData).models);
port.on('message', (question: EngineRequest) => {
  nets
    .then((run) => answer(run, question))
    .then(
      (given) => send({ answer: given }),
      (error: unknown) => send({ failed: error instanceof Error ? error.message : String(error) }),
    );
});
// Nets that cannot be loaded end the thread by the rejection that nobody handles here.
void nets.then(() => send({ ready: true }));

async function answer(run: RunNet, { rgb, rows, columns, ...known }: EngineRequest): Promise<EngineResult> {
  const photo = new RgbImage(toGrayscale(rgb, { rows, columns }));
  const { best: seen, rival } = await readCounter(run, photo, known);
  if (!seen) return { rival };
  const { steps: _steps, ...best } = seen;
  return { best: { ...best, strip: stripOf(photo, seen) }, rival, expected: findExpectedReading(seen, known) };
}
