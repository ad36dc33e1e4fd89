import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { Refusal } from '../app-error.ts';
import { texts } from '../texts.ts';
import { modelFiles } from './engine/model-files.server.ts';
import type { Answer, Question, Reply } from './engine/worker.ts';
import { oneAtATime, within } from './serial-queue.ts';

const WAITING_AT_MOST = 8;
const TIME_OUT_MS = 10_000;
const START_MS = 20_000;
// The nets and the photo lie outside of the heap.
const HEAP = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 96 };

let thread: Promise<Worker> | undefined;

/** The engine's nets cannot be loaded: there is nothing to ask. */
export class EngineMissing extends Error {}

/**
 * What our own nets see in a photo, one photo at a time in a thread of theirs. Throws 'unavailable' past eight
 * waiting photos, 'badGateway' when the thread breaks or needs over 10 s, and `EngineMissing`.
 */
export const askEngine = oneAtATime(async (question: Question): Promise<Answer> => {
  const worker = await start();
  try {
    return await within(TIME_OUT_MS, answerOf(worker, question));
  } catch {
    await stopEngine();
    throw new Refusal('badGateway', texts.readingFailed);
  }
}, WAITING_AT_MOST);

/** Ends the engine's thread; the next photo starts a new one. */
export async function stopEngine(): Promise<void> {
  const stopping = thread;
  thread = undefined;
  await stopping?.then((worker) => worker.terminate()).catch(() => {});
}

async function start(): Promise<Worker> {
  thread ??= startThread();
  try {
    return await within(START_MS, thread);
  } catch (error) {
    await stopEngine();
    throw new EngineMissing('the nets could not be loaded', { cause: error });
  }
}

async function startThread(): Promise<Worker> {
  const program = createRequire(import.meta.url).resolve('./engine/start-worker.js');
  const worker = new Worker(program, { workerData: modelFiles(), resourceLimits: HEAP });
  // A waiting thread keeps no process alive; one that dies while nobody asks is replaced at the next photo.
  worker.unref();
  worker.on('error', () => {});
  worker.once('exit', () => void forget(worker));
  await once(worker, 'message');
  return worker;
}

async function forget(ended: Worker): Promise<void> {
  if ((await thread?.catch(() => undefined)) === ended) thread = undefined;
}

async function answerOf(worker: Worker, question: Question): Promise<Answer> {
  const stop = new AbortController();
  const ended = once(worker, 'exit', { signal: stop.signal }).then((): never => {
    throw new Error('the engine’s thread ended');
  });
  try {
    worker.postMessage(question, [question.rgb.buffer as ArrayBuffer]);
    const [reply] = (await Promise.race([once(worker, 'message', { signal: stop.signal }), ended])) as [Reply];
    if ('answer' in reply) return reply.answer;
    throw new Error('failed' in reply ? reply.failed : 'the engine gave no answer');
  } finally {
    stop.abort();
    ended.catch(() => {});
  }
}
