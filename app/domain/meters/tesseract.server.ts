import { createRequire } from 'node:module';
import path from 'node:path';
import { createWorker, PSM, type Worker } from 'tesseract.js';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import { serialQueue, withTimeout } from './serial-queue.ts';

const MAX_QUEUED = 8;
const TIMEOUT_MS = 15_000;
// Tesseract is rarely used and takes 80 MB.
const IDLE_MS = 60_000;

export interface Word {
  text: string;
  confidence: number;
}

let engine: Promise<Worker> | undefined;
let idle: NodeJS.Timeout | undefined;

/** Finds numbers in one image at a time in a worker. Throws 'unavailable', or 'badGateway' after 15 s. */
export const recognizeDigits = serialQueue(async (image: Buffer): Promise<Word[]> => {
  clearTimeout(idle);
  try {
    engine ??= startEngine();
    return await withTimeout(
      TIMEOUT_MS,
      engine.then((worker) => wordsIn(worker, image)),
    );
  } catch {
    await stopTesseract();
    throw new AppError('badGateway', texts.readingFailed);
  } finally {
    idle = setTimeout(() => void stopTesseract(), IDLE_MS).unref();
  }
}, MAX_QUEUED);

export async function stopTesseract(): Promise<void> {
  clearTimeout(idle);
  const stopping = engine;
  engine = undefined;
  await stopping?.then((worker) => worker.terminate()).catch(() => {});
}

async function startEngine(): Promise<Worker> {
  const language = createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json');
  const worker = await createWorker('eng', 1, {
    langPath: path.join(path.dirname(language), '4.0.0_best_int'),
    gzip: true,
    cacheMethod: 'none',
    // Without it a corrupt image ends the process; the job rejects either way.
    errorHandler: () => {},
  });
  await worker.setParameters({
    tessedit_char_whitelist: '0123456789.',
    tessedit_pageseg_mode: PSM.SPARSE_TEXT,
    // Keeps Tesseract's warnings out of our output.
    debug_file: '/dev/null',
  });
  return worker;
}

async function wordsIn(worker: Worker, image: Buffer): Promise<Word[]> {
  const { data } = await worker.recognize(image, {}, { blocks: true, text: false });
  const lines = (data.blocks ?? []).flatMap((block) => block.paragraphs.flatMap((paragraph) => paragraph.lines));
  return lines.flatMap((line) => line.words.map(({ text, confidence }) => ({ text, confidence: confidence / 100 })));
}
