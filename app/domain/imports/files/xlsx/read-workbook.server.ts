import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fromBufferPromise } from 'yauzl';
import { MAX_IMPORT_COLUMNS, MAX_IMPORT_ENTRIES, MAX_IMPORT_ROWS, MAX_INFLATED_IMPORT_BYTES } from '#app/limits.ts';
import { IMPORT_WORKBOOK_CPU_S, IMPORT_WORKBOOK_MS } from '#db/deadlines.ts';
import { AppError } from '../../../app-error.ts';
import { programFile } from '../../../program-file.server.ts';
import { workbookQueue } from '../../../turns/queues.server.ts';
import { importFileTexts, refuseAt } from '../import-file-texts.ts';
import { PackedRow } from '../packed-row.ts';
import type { Sheet } from '../../reading/find-parts.ts';
import type { WorkbookReply } from './reader.ts';

// The library goes one call deeper with each part of a sheet.
const NODE_FLAGS = ['--max-old-space-size=1024', '--stack-size=32000'];

/**
 * Node under the system's limits of processor time, stack and memory in kilobytes: V8 ends a whole process over some files.
 * Where the machine has no memory left, this process is the one to go.
 */
const BOUNDED = `echo 1000 > /proc/self/oom_score_adj; ulimit -c 0
ulimit -S -t ${IMPORT_WORKBOOK_CPU_S}; ulimit -s 36864; ulimit -d 2621440; exec "$@"`;

export function isZip(file: Uint8Array): boolean {
  return file[0] === 0x50 && file[1] === 0x4b && (file[2] === 3 || file[2] === 5 || file[2] === 7);
}

/** The person whose file it is; a job waits for its turn as long as it takes. */
export interface Reader {
  schoolId: number;
  isJob?: true;
}

/** The sheets that have cells, read in a process of its own, whose end is nobody else's. Throws 'unavailable' as the queue does. */
export async function readWorkbook(file: Uint8Array, fileName: string, { schoolId, isJob }: Reader): Promise<Sheet[]> {
  await checkDirectory(file, fileName);
  return workbookQueue.run([String(schoolId)], () => readInProcess(file), isJob && { waitMs: Infinity });
}

/** Looks at what the zip says of its parts, before any of them is inflated. */
async function checkDirectory(file: Uint8Array, fileName: string): Promise<void> {
  const names = await namesOf(file).catch((error: unknown) => {
    throw error instanceof AppError ? error : new AppError('invalid', importFileTexts.brokenWorkbook);
  });
  if (names.has('xl/vbaProject.bin') || /\.xlsm$/i.test(fileName))
    throw new AppError('invalid', importFileTexts.macros);
  if (OTHER_SHEETS.some((name) => names.has(name))) throw new AppError('invalid', importFileTexts.otherSheet);
  if (!names.has('xl/workbook.xml')) throw new AppError('invalid', importFileTexts.otherZip);
}

const OTHER_SHEETS = ['xl/workbook.bin', 'content.xml', 'Index/Document.iwa'];

async function namesOf(file: Uint8Array): Promise<Set<string>> {
  const zip = await fromBufferPromise(Buffer.from(file.buffer, file.byteOffset, file.byteLength), {
    lazyEntries: true,
  });
  if (zip.entryCount > MAX_IMPORT_ENTRIES) throw new AppError('invalid', importFileTexts.tooManyEntries);
  const names = new Set<string>();
  let inflated = 0;
  for await (const entry of zip.eachEntry()) {
    if (entry.isEncrypted()) throw new AppError('invalid', importFileTexts.protectedWorkbook);
    inflated += entry.uncompressedSize;
    if (inflated > MAX_INFLATED_IMPORT_BYTES) throw new AppError('invalid', importFileTexts.inflatesTooLarge);
    names.add(entry.fileName);
  }
  return names;
}

async function readInProcess(file: Uint8Array): Promise<Sheet[]> {
  const program = programFile('workbook-reader', 'imports/files/xlsx/start-reader.js');
  const reader = spawn('/bin/sh', ['-c', BOUNDED, 'sh', process.execPath, ...NODE_FLAGS, program], {
    env: { NODE_ENV: 'production' },
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
    timeout: IMPORT_WORKBOOK_MS,
    killSignal: 'SIGKILL',
  });
  const end = new AbortController();
  const ended = new Promise<void>((resolve) => {
    reader.once('exit', () => resolve());
    reader.on('error', () => reader.pid === undefined && resolve());
  });
  void ended.then(() => end.abort());
  // A process that has ended takes no more of the file; its end says so itself.
  reader.stdin?.on('error', () => {});
  reader.stdin?.end(file);
  try {
    return await receiveRows(reader, end.signal);
  } catch (error) {
    if (error instanceof AppError || reader.pid === undefined) throw error;
    const isSlow = reader.killed || reader.signalCode === 'SIGXCPU';
    throw new AppError('invalid', isSlow ? importFileTexts.slowWorkbook : importFileTexts.unreadableWorkbook);
  } finally {
    reader.kill('SIGKILL');
    await ended;
  }
}

/** Asks for one slice after another, since what a message brings is read at one go. */
async function receiveRows(reader: ChildProcess, ended: AbortSignal): Promise<Sheet[]> {
  const sheets: Sheet[] = [];
  let count = 0;
  for (;;) {
    const [reply] = (await once(reader, 'message', { signal: ended })) as [WorkbookReply];
    if ('failed' in reply) throw new AppError('invalid', reply.failed);
    const { rows, ...named } = reply.slice;
    const former = sheets.at(-1);
    const sheet = former?.name === named.name ? former : { ...named, rows: [] };
    if (sheet !== former) sheets.push(sheet);
    for (const { number, cells } of rows) {
      if (cells.length > MAX_IMPORT_COLUMNS) throw refuseAt(number, undefined, importFileTexts.tooManyColumns);
      sheet.rows.push(new PackedRow(number, cells));
    }
    count += rows.length;
    if (count > MAX_IMPORT_ROWS + TITLES) throw new AppError('invalid', importFileTexts.tooManyRows);
    if (reply.isLast) return sheets;
    reader.send('next');
  }
}

/** Rows of titles and headings are not counted against the limit. */
const TITLES = 100;
