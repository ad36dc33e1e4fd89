import { buffer } from 'node:stream/consumers';
import { IMPORT_SLICE_ROWS } from '#app/limits.ts';
import { AppError } from '../../../app-error.ts';
import { importFileTexts } from '../import-file-texts.ts';
import { type ReadSheet, sheetRows } from './sheet-rows.server.ts';

export type WorkbookReply = { slice: ReadSheet; isLast: boolean } | { failed: string };

const send = (reply: WorkbookReply) => process.send?.(reply);
process.on('disconnect', () => process.exit());

buffer(process.stdin)
  .then(sheetRows)
  .then(
    (sheets) => {
      const slices = sheets.flatMap(slicesOf);
      const sendSlice = () => {
        const slice = slices.shift();
        if (slice) send({ slice, isLast: slices.length === 0 });
      };
      process.on('message', sendSlice);
      sendSlice();
    },
    (error: unknown) => send({ failed: error instanceof AppError ? error.message : importFileTexts.brokenWorkbook }),
  );

function slicesOf({ rows, ...sheet }: ReadSheet): ReadSheet[] {
  return Array.from({ length: Math.max(1, Math.ceil(rows.length / IMPORT_SLICE_ROWS)) }, (_, at) => ({
    ...sheet,
    rows: rows.slice(at * IMPORT_SLICE_ROWS, (at + 1) * IMPORT_SLICE_ROWS),
  }));
}
