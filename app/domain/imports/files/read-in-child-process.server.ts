import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { MAX_IMPORT_COLUMNS, MAX_IMPORT_ROWS_WITH_HEADINGS } from '#app/limits.ts';
import { IMPORT_READER_CPU_S, IMPORT_READER_MS } from '#db/deadlines.ts';
import { AppError } from '../../app-error.ts';
import { resolveProgramFile } from '../../program-file.server.ts';
import { importReaderQueue } from '../../turns/queues.server.ts';
import { importFileTexts, refuse, refuseAt } from './import-file-texts.ts';
import { PackedRow } from './packed-row.ts';
import type { MarkedEncoding } from '../reading/find-encoding.ts';
import type { Sheet } from '../reading/find-file-tables.ts';
import type { ReaderReply } from './reader.ts';

// The library goes one call deeper with each part of a sheet.
const NODE_FLAGS = ['--max-old-space-size=1024', '--stack-size=32000'];

/**
 * Node under the system's limits of processor time, stack and memory in kilobytes: V8 ends a whole process over some files.
 * Where the machine has no memory left, this process is the one to go.
 */
const BOUNDED = `echo 1000 > /proc/self/oom_score_adj; ulimit -c 0
ulimit -S -t ${IMPORT_READER_CPU_S}; ulimit -s 36864; ulimit -d 2621440; exec "$@"`;

/** The person whose file it is; a job waits for its turn as long as it takes. */
export interface ImportFileOwner {
  schoolId: number;
  isJob?: true;
}

/**
 * The sheets that have cells, read in a process of its own, whose end is nobody else's: a workbook, or a CSV of this
 * encoding. Throws 'invalid' in words, 'unavailable' as the queue does.
 */
export function readInChildProcess(
  file: Uint8Array,
  { schoolId, isJob }: ImportFileOwner,
  csv?: MarkedEncoding,
): Promise<Sheet[]> {
  const words = csv ? [csv.name, String(csv.mark)] : [];
  return importReaderQueue.run([String(schoolId)], () => runReader(file, words), isJob && { waitMs: Infinity });
}

async function runReader(file: Uint8Array, words: string[]): Promise<Sheet[]> {
  const program = resolveProgramFile('file-reader', 'imports/files/start-reader.js');
  const reader = spawn('/bin/sh', ['-c', BOUNDED, 'sh', process.execPath, ...NODE_FLAGS, program, ...words], {
    env: { NODE_ENV: 'production' },
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
    timeout: IMPORT_READER_MS,
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
    refuse(isSlow ? importFileTexts.slowFile : importFileTexts.unreadableFile);
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
    const [reply] = (await once(reader, 'message', { signal: ended })) as [ReaderReply];
    if ('failed' in reply) refuse(reply.failed);
    if ('isEnd' in reply) return sheets;
    const { rows, ...named } = reply.slice;
    const former = sheets.at(-1);
    const sheet = former?.name === named.name ? former : { ...named, rows: [] };
    if (sheet !== former) sheets.push(sheet);
    for (const { number, cells } of rows) {
      if (cells.length > MAX_IMPORT_COLUMNS) refuseAt(number, undefined, importFileTexts.tooManyColumns);
      sheet.rows.push(new PackedRow(number, cells));
    }
    count += rows.length;
    if (count > MAX_IMPORT_ROWS_WITH_HEADINGS) refuse(importFileTexts.tooManyRows);
    reader.send('next');
  }
}
