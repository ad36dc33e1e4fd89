import { buffer } from 'node:stream/consumers';
import { IMPORT_SLICE_ROWS } from '#app/limits.ts';
import { AppError } from '../../app-error.ts';
import { importFileTexts } from './import-file-texts.ts';
import { readCsv } from './read-csv.server.ts';
import { type ReadSheet, readFilledSheets } from './xlsx/sheet-rows.server.ts';

export type ReaderReply = { slice: ReadSheet } | { isEnd: true } | { failed: string };

const send = (reply: ReaderReply) => process.send?.(reply);
process.on('disconnect', () => process.exit());

// The encoding of a CSV, and where its text begins; nothing for a workbook.
const [name, mark] = process.argv.slice(2);
const unforeseen = name === undefined ? importFileTexts.brokenWorkbook : importFileTexts.unreadableFile;

buffer(process.stdin)
  .then((file) => (name === undefined ? readFilledSheets(file) : readCsv(file, { name, mark: Number(mark) })))
  .then(
    (sheets) => {
      const slices = slicesOf(sheets);
      const sendSlice = () => send(slices.next().value ?? { isEnd: true });
      process.on('message', sendSlice);
      sendSlice();
    },
    (error: unknown) => send({ failed: error instanceof AppError ? error.message : unforeseen }),
  );

function* slicesOf(sheets: ReadSheet[]): Generator<ReaderReply, undefined> {
  for (const { rows, ...sheet } of sheets)
    for (let from = 0; from === 0 || from < rows.length; from += IMPORT_SLICE_ROWS) {
      const slice = rows.slice(from, from + IMPORT_SLICE_ROWS);
      yield { slice: { ...sheet, rows: slice.map(({ number, cells }) => ({ number, cells })) } };
    }
}
