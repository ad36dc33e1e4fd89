import { parentPort, workerData } from 'node:worker_threads';
import { ImagePyramid, toGrayscale } from './grayscale.ts';
import type { MeterContext } from './meter-context.ts';
import { loadNets, type NetName, type RunNet } from './nets.server.ts';
import { detectMeter, cropMeter } from './reader.ts';
import { type EngineResult, toEvidence } from './result.ts';

/** A photo in sRGB, three bytes per pixel. */
export interface EngineRequest extends MeterContext {
  rgb: Uint8Array;
  rows: number;
  columns: number;
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
  const { best, other, rival } = await detectMeter(run, photo, known);
  if (!best) return {};
  return { best: { ...toEvidence(best, rival, known), strip: cropMeter(photo, best) }, other: other?.digits };
}
