import { parentPort, workerData } from 'node:worker_threads';
import { type FigureReading, readFigures } from './figures.ts';
import { type GrayscaleImage, ImagePyramid, toGrayscale } from './grayscale.ts';
import type { MeterContext } from './meter-context.ts';
import { findExpectedReading, sortByFit, type ExpectedReading } from './last-reading.ts';
import { loadNets, type NetName, type RunNet } from './nets.server.ts';
import { detectMeter, type DetectedMeter, cropMeter } from './reader.ts';

/** A photo in sRGB, three bytes per pixel. */
export interface EngineRequest extends MeterContext {
  rgb: Uint8Array;
  rows: number;
  columns: number;
}

/** The reading of a photo; no meter was located if `best` is left out. */
export interface EngineResult {
  best?: Omit<DetectedMeter, 'steps'> & { strip: GrayscaleImage; figures: FigureReading[] };
  other?: string | undefined;
  rival: number;
  expected?: ExpectedReading | undefined;
}

/** Data that the worker shares; it writes its thread id into `threadId`. */
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
      (result) => send({ answer: result }),
      (error: unknown) => send({ failed: error instanceof Error ? error.message : String(error) }),
    );
});
// The rejection is left unhandled: it ends the worker if the networks cannot be loaded.
void nets.then(() => send({ ready: true }));

async function answer(run: RunNet, { rgb, rows, columns, ...known }: EngineRequest): Promise<EngineResult> {
  const photo = new ImagePyramid(toGrayscale(rgb, { rows, columns }));
  const found = await detectMeter(run, photo, known);
  const { rival } = found;
  if (!found.best) return { rival };
  const [seen, other] = sortByFit(found.best, found.other, known);
  const { steps, ...best } = seen;
  const figures = readFigures(steps, best.digits);
  const expected = findExpectedReading(seen, known);
  return { best: { ...best, strip: cropMeter(photo, seen), figures }, other: other?.digits, rival, expected };
}
