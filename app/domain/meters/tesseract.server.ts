import { createRequire } from 'node:module';
import path from 'node:path';
import { createWorker, PSM, type Worker } from 'tesseract.js';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import { queued } from './photo-queue.server.ts';
import { threadTimes, type ThreadTimes, withinWork } from './work-limit.server.ts';

const MAX_QUEUED = 8;
const LIMIT = { work: 15_000, sleep: 60_000 };
// It is asked seldom and takes 80 MB: what has waited this long for a photo may go.
const IDLE_MS = 60_000;

export interface Word {
  text: string;
  /** 0 to 1, in the engine's own opinion. */
  confidence: number;
}

interface Thread {
  worker: Promise<Worker>;
  times: () => ThreadTimes | undefined;
}

let thread: Thread | undefined;
let idle: NodeJS.Timeout | undefined;

/**
 * The numbers that Tesseract finds in an image, one image at a time in its own thread.
 * Throws 'unavailable' past eight waiting images, 'badGateway' when the engine breaks or works for over 15 s.
 */
export const recognizeDigits = queued(async (image: Buffer): Promise<Word[]> => {
  clearTimeout(idle);
  try {
    const { worker, times } = (thread ??= startThread());
    return await withinWork(
      worker.then((started) => wordsIn(started, image)),
      LIMIT,
      times,
    );
  } catch {
    // Not awaited: a worker that never starts never ends.
    void stopTesseract();
    throw new AppError('badGateway', texts.readingFailed);
  } finally {
    idle = setTimeout(() => void stopTesseract(), IDLE_MS).unref();
  }
}, MAX_QUEUED);

/** Ends the engine's thread; the next image starts a new one. */
export async function stopTesseract(): Promise<void> {
  clearTimeout(idle);
  const stopping = thread?.worker;
  thread = undefined;
  await stopping?.then((worker) => worker.terminate()).catch(() => {});
}

function startThread(): Thread {
  let id: number | undefined;
  const name = (threadId: number) => (id = threadId);
  return { worker: startWorker(name), times: () => threadTimes(id) };
}

async function startWorker(name: (threadId: number) => void): Promise<Worker> {
  const { resolve } = createRequire(import.meta.url);
  const worker = await createWorker('eng', 1, {
    workerPath: resolve('#app/domain/meters/engine/start-tesseract.js'),
    langPath: path.join(path.dirname(resolve('@tesseract.js-data/eng/package.json')), '4.0.0_best_int'),
    gzip: true,
    cacheMethod: 'none',
    logger: ({ status, progress }) => status === 'thread id' && name(progress),
    // Without a handler of its own, one corrupt image ends the process; the job's own promise tells of the error.
    errorHandler: () => {},
  });
  await worker.setParameters({
    tessedit_char_whitelist: '0123456789.',
    tessedit_pageseg_mode: PSM.SPARSE_TEXT,
    // What it thinks of an image on its way would go to our output.
    debug_file: '/dev/null',
  });
  return worker;
}

async function wordsIn(worker: Worker, image: Buffer): Promise<Word[]> {
  const { data } = await worker.recognize(image, {}, { blocks: true, text: false });
  const lines = (data.blocks ?? []).flatMap((block) => block.paragraphs.flatMap((paragraph) => paragraph.lines));
  return lines.flatMap((line) => line.words.map(({ text, confidence }) => ({ text, confidence: confidence / 100 })));
}
