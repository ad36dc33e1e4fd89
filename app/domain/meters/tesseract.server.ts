import { createRequire } from 'node:module';
import path from 'node:path';
import { createWorker, PSM, type Worker } from 'tesseract.js';
import { PHOTO_WAIT_MS } from '#db/deadlines.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import { onePhotoStepAtATime } from '../turns/queues.server.ts';
import { readThreadTimes, type ThreadTimes, withWorkLimit } from './work-limit.server.ts';

const WORK_LIMIT = { work: 15_000, sleep: PHOTO_WAIT_MS };
// The worker ends soon, because Tesseract is rarely used and takes 80 MB.
const IDLE_MS = 60_000;

export interface Word {
  text: string;
  confidence: number;
}

interface Thread {
  worker: Promise<Worker>;
  times: () => ThreadTimes | undefined;
}

let thread: Thread | undefined;
let idle: NodeJS.Timeout | undefined;

/** Finds numbers in one image at a time in a worker. Throws 'unavailable', or 'badGateway' after 15 s of work. */
export const recognizeDigits = onePhotoStepAtATime(async (image: Buffer): Promise<Word[]> => {
  clearTimeout(idle);
  try {
    const { worker, times } = (thread ??= startThread());
    return await withWorkLimit(
      worker.then((started) => wordsIn(started, image)),
      WORK_LIMIT,
      times,
    );
  } catch {
    // The end is not awaited: a worker that never starts never ends.
    void stopTesseract();
    throw new AppError('badGateway', texts.readingFailed);
  } finally {
    idle = setTimeout(() => void stopTesseract(), IDLE_MS).unref();
  }
});

export async function stopTesseract(): Promise<void> {
  clearTimeout(idle);
  const stopping = thread?.worker;
  thread = undefined;
  await stopping?.then((worker) => worker.terminate()).catch(() => {});
}

function startThread(): Thread {
  let id: number | undefined;
  const setThreadId = (threadId: number) => (id = threadId);
  return { worker: startWorker(setThreadId), times: () => readThreadTimes(id) };
}

async function startWorker(setThreadId: (threadId: number) => void): Promise<Worker> {
  const { resolve } = createRequire(import.meta.url);
  const worker = await createWorker('eng', 1, {
    workerPath: resolve('#app/domain/meters/engine/start-tesseract.js'),
    langPath: path.join(path.dirname(resolve('@tesseract.js-data/eng/package.json')), '4.0.0_best_int'),
    gzip: true,
    cacheMethod: 'none',
    logger: ({ status, progress }) => status === 'thread id' && setThreadId(progress),
    // A corrupt image would end the process without this handler; the job rejects either way.
    errorHandler: () => {},
  });
  await worker.setParameters({
    tessedit_char_whitelist: '0123456789.',
    tessedit_pageseg_mode: PSM.SPARSE_TEXT,
    // The setting keeps Tesseract's warnings out of our output.
    debug_file: '/dev/null',
  });
  return worker;
}

async function wordsIn(worker: Worker, image: Buffer): Promise<Word[]> {
  const { data } = await worker.recognize(image, {}, { blocks: true, text: false });
  const lines = (data.blocks ?? []).flatMap((block) => block.paragraphs.flatMap((paragraph) => paragraph.lines));
  return lines.flatMap((line) => line.words.map(({ text, confidence }) => ({ text, confidence: confidence / 100 })));
}
