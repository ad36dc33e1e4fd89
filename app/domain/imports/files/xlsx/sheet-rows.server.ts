import { buffer as readBuffer } from 'node:stream/consumers';
import { readSheet, type SheetData } from 'read-excel-file/universal';
import { fromBufferPromise } from 'yauzl';
import yazl from 'yazl';
import { MAX_IMPORT_BYTES } from '#app/limits.ts';
import { AppError } from '../../../app-error.ts';
import { columnLetters } from '../../../sheets/cell-kinds.ts';
import { importFileTexts, refuse, refuseAt } from '../import-file-texts.ts';
import { cellText, EPOCHS } from './cell-text.ts';
import { checkAndListSheets, type ListedSheet } from './checked-xml.ts';

const MAX_SHEETS = 50;

/** A CSV file of as much is too large, too; one text may stand in millions of cells. */
const MAX_CHARACTERS = MAX_IMPORT_BYTES;

export interface ReadSheet {
  name: string;
  rows: { number: number; cells: string[] }[];
  unread?: string;
}

/** All sheets that have cells; without the rows of those that are hidden, unless all are, and of those past the fiftieth. */
export async function readFilledSheets(file: Buffer): Promise<ReadSheet[]> {
  const { archive, sheets, epoch } = await checkedArchive(file);
  const read: ReadSheet[] = [];
  const hidden: ReadSheet[] = [];
  for (const [at, { name, isHidden }] of sheets.slice(0, MAX_SHEETS).entries()) {
    const rows = toRows((await readOneSheet(archive, at + 1)) ?? [], epoch);
    if (rows.length > 0) (isHidden ? hidden : read).push({ name, rows });
  }
  if (read.length === 0) read.push(...hidden.splice(0, 1));
  if (read.length === 0) refuse(importFileTexts.noSheets);
  return [
    ...read,
    ...hidden.map(({ name, rows }) => ({ name, rows: [], unread: importFileTexts.hiddenSheet(rows.length) })),
    ...sheets.slice(MAX_SHEETS).map(({ name }) => ({ name, rows: [], unread: importFileTexts.lateSheet(MAX_SHEETS) })),
  ];
}

const READ_PARTS = /^xl\/.*\.(xml|rels)$/;

/** The parts that are read, inflated to no more than the directory says, and packed anew without compression. */
async function checkedArchive(file: Buffer) {
  const zip = await fromBufferPromise(file, { lazyEntries: true, autoClose: false });
  const packed = new yazl.ZipFile();
  let sheets: ListedSheet[] = [];
  let epoch = EPOCHS.usual;
  for await (const entry of zip.eachEntry()) {
    if (!READ_PARTS.test(entry.fileName)) continue;
    const xml = await readBuffer(await zip.openReadStreamPromise(entry));
    const checked = checkAndListSheets(new TextDecoder().decode(xml));
    const isWorkbook = entry.fileName === 'xl/workbook.xml';
    const known = isWorkbook ? withKnownEpoch(xml) : xml;
    if (isWorkbook) sheets = checked;
    if (isWorkbook && /\sdate1904\s*=\s*["']1["']/.test(known.toString())) epoch = EPOCHS.of1904;
    packed.addBuffer(known, entry.fileName, { compress: false });
  }
  packed.end();
  const { buffer, byteOffset, byteLength } = await readBuffer(packed.outputStream);
  return { archive: new Uint8Array(buffer, byteOffset, byteLength).slice().buffer, sheets, epoch };
}

/** LibreOffice writes the epoch of 1904 in a way that the library takes for that of 1900. */
function withKnownEpoch(workbook: Buffer): Buffer {
  return Buffer.from(workbook.toString().replace(/\sdate1904\s*=\s*(["'])true\1/, ' date1904="1"'));
}

/** Undefined where the workbook has no such sheet, or a chart in its place. */
async function readOneSheet(archive: ArrayBuffer, sheet: number): Promise<SheetData | undefined> {
  try {
    return await readSheet(archive, sheet);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.constructor.name === 'SheetNotFoundError') return undefined;
    const [, row, column] = /row (\d+), col (\d+)/.exec(error.message) ?? [];
    if (!row) throw error;
    refuseAt(Number(row), `column ${columnLetters(Number(column) - 1)}`, importFileTexts.brokenCell);
  }
}

function toRows(cells: SheetData, epoch: number): ReadSheet['rows'] {
  let characters = 0;
  return cells.flatMap((row, at) => {
    const texts = row.map((cell) => cellText(cell, epoch));
    for (const text of texts) characters += text.length;
    if (characters > MAX_CHARACTERS) throw new AppError('tooLarge', importFileTexts.tooMuchText);
    const last = texts.findLastIndex((text) => text.trim() !== '');
    return last < 0 ? [] : [{ number: at + 1, cells: texts.slice(0, last + 1) }];
  });
}
