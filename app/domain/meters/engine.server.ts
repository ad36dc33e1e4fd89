import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import { modelFiles } from './engine/model-files.server.ts';
import type { EngineResult, EngineRequest, WorkerMessage } from './engine/worker.ts';
import { serialQueue, withTimeout } from './serial-queue.ts';

const MAX_QUEUED = 8;
const TIMEOUT_MS = 10_000;
const START_TIMEOUT_MS = 20_000;
// Networks and photo are outside of the heap.
const HEAP = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 96 };

let workerPromise: Promise<Worker> | undefined;

export class EngineUnavailableError extends Error {}

/** Reads one photo at a time in a worker. Throws 'unavailable', 'badGateway' or `EngineUnavailableError`. */
export const runEngine = serialQueue(async (question: EngineRequest): Promise<EngineResult> => {
  const worker = await getWorker();
  try {
    return await withTimeout(TIMEOUT_MS, requestAnswer(worker, question));
  } catch {
    await stopEngine();
    throw new AppError('badGateway', texts.readingFailed);
  }
}, MAX_QUEUED);

export async function stopEngine(): Promise<void> {
  const stopping = workerPromise;
  workerPromise = undefined;
  await stopping?.then((worker) => worker.terminate()).catch(() => {});
}

async function getWorker(): Promise<Worker> {
  workerPromise ??= startWorker();
  try {
    return await withTimeout(START_TIMEOUT_MS, workerPromise);
  } catch (error) {
    await stopEngine();
    throw new EngineUnavailableError('the nets could not be loaded', { cause: error });
  }
}

async function startWorker(): Promise<Worker> {
  const program = createRequire(import.meta.url).resolve('#app/domain/meters/engine/start-worker.js');
  const worker = new Worker(program, { workerData: modelFiles(), resourceLimits: HEAP });
  // An idle worker does not keep the process alive.
  worker.unref();
  worker.on('error', () => {});
  worker.once('exit', () => void forgetEndedWorker(worker));
  await once(worker, 'message');
  return worker;
}

async function forgetEndedWorker(ended: Worker): Promise<void> {
  if ((await workerPromise?.catch(() => undefined)) === ended) workerPromise = undefined;
}

async function requestAnswer(worker: Worker, question: EngineRequest): Promise<EngineResult> {
  const stop = new AbortController();
  const ended = once(worker, 'exit', { signal: stop.signal }).then((): never => {
    throw new Error('the engine’s thread ended');
  });
  try {
    worker.postMessage(question, [question.rgb.buffer as ArrayBuffer]);
    const [reply] = (await Promise.race([once(worker, 'message', { signal: stop.signal }), ended])) as [WorkerMessage];
    if ('answer' in reply) return reply.answer;
    throw new Error('failed' in reply ? reply.failed : 'the engine gave no answer');
  } finally {
    stop.abort();
    ended.catch(() => {});
  }
}
