import { parentPort, workerData } from 'node:worker_threads';
import { type Grey, Photo, toGrey } from './grayscale.ts';
import type { Known } from './meter-context.ts';
import { expectedReading, type Expected } from './last-reading.ts';
import { loadNets, type NetName, type RunNet } from './nets.server.ts';
import { readCounter, type Sighting, stripOf } from './reader.ts';

/** A photo to read: sRGB, three bytes a pixel. */
export interface Question extends Known {
  rgb: Uint8Array;
  rows: number;
  columns: number;
}

/** What the photo shows most likely; without `best`, no counter was found. */
export interface Answer {
  best?: Omit<Sighting, 'steps'> & { strip: Grey };
  /** The worth of the best of the other sightings that show something else. */
  rival: number;
  expected?: Expected | undefined;
}

export type Reply = { ready: true } | { answer: Answer } | { failed: string };

const port = parentPort;
if (!port) throw new Error('the engine runs as a thread');
const send = (reply: Reply) => port.postMessage(reply);

const nets = loadNets(workerData as Record<NetName, string>);
port.on('message', (question: Question) => {
  nets.then((run) => answer(run, question)).then(
    (given) => send({ answer: given }),
    (error: unknown) => send({ failed: error instanceof Error ? error.message : String(error) }),
  );
});
// Nets that cannot be loaded end the thread by the rejection that nobody handles here.
void nets.then(() => send({ ready: true }));

async function answer(run: RunNet, { rgb, rows, columns, ...known }: Question): Promise<Answer> {
  const photo = new Photo(toGrey(rgb, { rows, columns }));
  const { best: seen, rival } = await readCounter(run, photo, known);
  if (!seen) return { rival };
  const { steps: _steps, ...best } = seen;
  return { best: { ...best, strip: stripOf(photo, seen) }, rival, expected: expectedReading(seen, known) };
}
