import { buffer } from 'node:stream/consumers';
import { IMPORT_SLICE_ROWS } from '#app/limits.ts';
import { AppError } from '../../app-error.ts';
import { importFileTexts } from './import-file-texts.ts';
import { readCsv } from './read-csv.server.ts';
import { type ReadSheet, sheetRows } from './xlsx/sheet-rows.server.ts';

export type ReaderReply = { slice: ReadSheet; isLast: boolean } | { failed: string };

const send = (reply: ReaderReply) => process.send?.(reply);
process.on('disconnect', () => process.exit());

// The encoding of a CSV, and where its text begins; nothing for a workbook.
const [name, mark] = process.argv.slice(2);
const unforeseen = name === undefined ? importFileTexts.brokenWorkbook : importFileTexts.unreadableFile;

buffer(process.stdin)
  .then((file) => (name === undefined ? sheetRows(file) : readCsv(file, { name, mark: Number(mark) })))
  .then(
    (sheets) => {
      const starts = sheets.flatMap(startsOf);
      const sendSlice = () => {
        const slice = starts.shift();
        if (slice) send({ slice: sliceOf(slice), isLast: starts.length === 0 });
      };
      process.on('message', sendSlice);
      sendSlice();
    },
    (error: unknown) => send({ failed: error instanceof AppError ? error.message : unforeseen }),
  );

interface Slice {
  sheet: ReadSheet;
  from: number;
}

function startsOf(sheet: ReadSheet): Slice[] {
  const count = Math.max(1, Math.ceil(sheet.rows.length / IMPORT_SLICE_ROWS));
  return Array.from({ length: count }, (_, at) => ({ sheet, from: at * IMPORT_SLICE_ROWS }));
}

function sliceOf({ sheet, from }: Slice): ReadSheet {
  const rows = sheet.rows.slice(from, from + IMPORT_SLICE_ROWS);
  return { ...sheet, rows: rows.map(({ number, cells }) => ({ number, cells })) };
}
