import { buffer } from 'node:stream/consumers';
import { IMPORT_SLICE_ROWS } from '#app/limits.ts';
import { AppError } from '../../../app-error.ts';
import type { SheetRow } from '../../records.ts';
import { importFileTexts } from '../import-file-texts.ts';
import { sheetRows } from './sheet-rows.server.ts';

export type WorkbookReply = { rows: SheetRow[]; isLast: boolean } | { failed: string };

const send = (reply: WorkbookReply) => process.send?.(reply);
process.on('disconnect', () => process.exit());

buffer(process.stdin)
  .then(sheetRows)
  .then(
    (rows) => {
      let sent = 0;
      const sendSlice = () => {
        const slice = rows.slice(sent, sent + IMPORT_SLICE_ROWS);
        sent += IMPORT_SLICE_ROWS;
        send({ rows: slice, isLast: sent >= rows.length });
      };
      process.on('message', sendSlice);
      sendSlice();
    },
    (error: unknown) => send({ failed: error instanceof AppError ? error.message : importFileTexts.brokenWorkbook }),
  );
