import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import {
  MAX_IMPORT_COLUMNS,
  MAX_IMPORT_ROWS,
  MAX_PENDING_WORKBOOKS,
  MAX_PENDING_WORKBOOKS_OF_SCHOOL,
  WORKBOOK_RETRY_S,
} from '#app/limits.ts';
import { IMPORT_WORKBOOK_WAIT_MS } from '#db/deadlines.ts';
import { AppError } from '../../../app-error.ts';
import { FairQueue } from '../../../fair-queue.server.ts';
import { readThreadTimes, withWorkLimit } from '../../../meters/work-limit.server.ts';
import { importFileTexts, refuseAt } from '../import-file-texts.ts';
import { PackedRow } from '../packed-row.ts';
import { checkDirectory } from './check-directory.server.ts';
import type { WorkbookThreadData, WorkbookReply } from './worker.ts';

const UNKNOWN = -1;
const WORK_LIMIT = { work: IMPORT_WORKBOOK_WAIT_MS, sleep: IMPORT_WORKBOOK_WAIT_MS };
// The library goes one call deeper with each part of a sheet.
const RESOURCES = { maxOldGenerationSizeMb: 1024, stackSizeMb: 32 };

export function isZip(file: Uint8Array): boolean {
  return file[0] === 0x50 && file[1] === 0x4b && (file[2] === 3 || file[2] === 5 || file[2] === 7);
}

/** Each may take a gigabyte. */
const queue = new FairQueue(1);

/** Whose file it is; a job waits for its turn as long as it takes. */
export interface Reader {
  schoolId: number;
  isJob?: true;
}

/** The first sheet that has cells, read in a thread of its own: parsing XML gives nobody else a turn. */
export async function readWorkbook(file: Uint8Array, fileName: string, reader: Reader): Promise<PackedRow[]> {
  await checkDirectory(file, fileName);
  return takeTurn(reader, () => readInThread(file));
}

/** Throws 'unavailable' past what waits of the school or of all, and when the turn does not come. */
function takeTurn<Result>({ schoolId, isJob }: Reader, work: () => Promise<Result>): Promise<Result> {
  const school = String(schoolId);
  if (isJob) return queue.add(school, work);
  if (queue.pendingOf(school) >= MAX_PENDING_WORKBOOKS_OF_SCHOOL) throw unavailable(importFileTexts.ownWorkbooksWait);
  const tooLate = () => unavailable(importFileTexts.workbooksWait);
  if (queue.waiting >= MAX_PENDING_WORKBOOKS) throw tooLate();
  return queue.addWithin(IMPORT_WORKBOOK_WAIT_MS, school, work, tooLate);
}

function unavailable(text: string): AppError {
  return new AppError('unavailable', text).retryAfter(WORKBOOK_RETRY_S);
}

async function readInThread(file: Uint8Array): Promise<PackedRow[]> {
  const threadId = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)).fill(UNKNOWN);
  const workerData: WorkbookThreadData = { file, threadId };
  const program = createRequire(import.meta.url).resolve('#app/domain/imports/files/xlsx/start-worker.js');
  const worker = new Worker(program, { workerData, resourceLimits: RESOURCES });
  try {
    const times = () => readThreadTimes(threadId[0] === UNKNOWN ? undefined : threadId[0]);
    return await withWorkLimit(receiveRows(worker), WORK_LIMIT, times);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    throw new AppError('invalid', isMemory ? importFileTexts.inflatesTooLarge : importFileTexts.slowWorkbook);
  } finally {
    await worker.terminate();
  }
}

/** Asks for one slice after another, since what a message brings is read at one go. */
async function receiveRows(worker: Worker): Promise<PackedRow[]> {
  const rows: PackedRow[] = [];
  for (;;) {
    const [reply] = (await once(worker, 'message')) as [WorkbookReply];
    if ('failed' in reply) throw new AppError('invalid', reply.failed);
    for (const row of reply.rows) {
      if (row.cells.length > MAX_IMPORT_COLUMNS) throw refuseAt(row.number, undefined, importFileTexts.tooManyColumns);
      if (row.cells.length > 0) rows.push(new PackedRow(row.number, row.cells));
    }
    if (rows.length > MAX_IMPORT_ROWS + 1) throw new AppError('invalid', importFileTexts.tooManyRows);
    if (reply.isLast) return rows;
    worker.postMessage('next');
  }
}
