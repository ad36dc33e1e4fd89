import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { PHOTO_WAIT_MS } from '#db/deadlines.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import { modelFiles } from './engine/model-files.server.ts';
import type { EngineResult } from './engine/result.ts';
import type { EngineRequest, WorkerMessage, ThreadData } from './engine/worker.ts';
import { resolveProgramFile } from '../program-file.server.ts';
import { onePhotoStepAtATime } from '../turns/queues.server.ts';
import { readerFailuresChannel } from './reader-failures.ts';
import { readThreadTimes, type ThreadTimes, withWorkLimit } from './work-limit.server.ts';

const ANSWER_LIMIT = { work: 10_000, sleep: PHOTO_WAIT_MS };
const START_LIMIT = { work: 20_000, sleep: PHOTO_WAIT_MS };
const UNKNOWN = -1;
// The heap is small, because networks and photo are outside of it.
const HEAP = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 96 };

interface Thread {
  worker: Worker;
  times: () => ThreadTimes | undefined;
}

let workerPromise: Promise<Thread> | undefined;

export class EngineUnavailableError extends Error {}

/** Reads one photo at a time in a worker. Throws 'unavailable', 'badGateway' or `EngineUnavailableError`. */
export const runEngine = onePhotoStepAtATime(async (question: EngineRequest): Promise<EngineResult> => {
  const { worker, times } = await getWorker();
  try {
    return await withWorkLimit(requestAnswer(worker, question), ANSWER_LIMIT, times);
  } catch {
    readerFailuresChannel.publish({});
    await stopEngine();
    throw new AppError('badGateway', texts.readingFailed);
  }
});

export async function stopEngine(): Promise<void> {
  const stopping = workerPromise;
  workerPromise = undefined;
  await stopping?.then(({ worker }) => worker.terminate()).catch(() => {});
}

async function getWorker(): Promise<Thread> {
  workerPromise ??= startWorker();
  try {
    return await workerPromise;
  } catch (error) {
    workerPromise = undefined;
    readerFailuresChannel.publish({});
    throw new EngineUnavailableError('the nets could not be loaded', { cause: error });
  }
}

async function startWorker(): Promise<Thread> {
  const program = resolveProgramFile('meter-engine', 'meters/engine/start-worker.js');
  const threadId = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)).fill(UNKNOWN);
  const workerData: ThreadData = { models: modelFiles(), threadId };
  const worker = new Worker(program, { workerData, resourceLimits: HEAP });
  const times = () => readThreadTimes(threadId[0] === UNKNOWN ? undefined : threadId[0]);
  // An idle worker does not keep the process alive.
  worker.unref();
  worker.on('error', () => {});
  worker.once('exit', () => void forgetEndedWorker(worker));
  try {
    await withWorkLimit(once(worker, 'message'), START_LIMIT, times);
  } catch (error) {
    await worker.terminate();
    throw error;
  }
  return { worker, times };
}

async function forgetEndedWorker(ended: Worker): Promise<void> {
  if ((await workerPromise?.catch(() => undefined))?.worker === ended) workerPromise = undefined;
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
