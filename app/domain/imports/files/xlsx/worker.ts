import { parentPort, workerData } from 'node:worker_threads';
import { IMPORT_SLICE_ROWS } from '#app/limits.ts';
import { AppError } from '../../../app-error.ts';
import type { SheetRow } from '../../records.ts';
import { importFileTexts } from '../import-file-texts.ts';
import { sheetRows } from './sheet-rows.server.ts';

/** The worker writes its thread id into the shared `threadId`. */
export interface WorkbookThreadData {
  file: Uint8Array;
  threadId: Int32Array;
}

export type WorkbookReply = { rows: SheetRow[]; isLast: boolean } | { failed: string };

const port = parentPort;
if (!port) throw new Error('a workbook is read in a thread');
const send = (reply: WorkbookReply) => port.postMessage(reply);

sheetRows((workerData as WorkbookThreadData).file).then(
  (rows) => {
    let sent = 0;
    const sendSlice = () => {
      const slice = rows.slice(sent, sent + IMPORT_SLICE_ROWS);
      sent += IMPORT_SLICE_ROWS;
      send({ rows: slice, isLast: sent >= rows.length });
    };
    port.on('message', sendSlice);
    sendSlice();
  },
  (error: unknown) => send({ failed: error instanceof AppError ? error.message : importFileTexts.brokenWorkbook }),
);
