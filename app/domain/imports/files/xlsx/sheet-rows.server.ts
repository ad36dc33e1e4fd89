import { buffer as readBuffer } from 'node:stream/consumers';
import { readSheet, type SheetData } from 'read-excel-file/universal';
import { fromBufferPromise } from 'yauzl';
import yazl from 'yazl';
import { MAX_IMPORT_BYTES } from '#app/limits.ts';
import { AppError } from '../../../app-error.ts';
import { columnLetters } from '../../../sheets/cell-kinds.ts';
import { importFileTexts, refuseAt } from '../import-file-texts.ts';
import { cellText } from './cell-text.ts';
import { checkXml, type ListedSheet } from './checked-xml.ts';

const MAX_SHEETS = 50;

/** A CSV file of as much is too large, too; one text may stand in millions of cells. */
const MAX_CHARACTERS = MAX_IMPORT_BYTES;

export interface ReadSheet {
  name: string;
  rows: { number: number; cells: string[] }[];
}

/** All sheets that have cells and are not hidden, else the first that is. */
export async function sheetRows(file: Uint8Array): Promise<ReadSheet[]> {
  const { archive, sheets } = await checkedArchive(file);
  const read: ReadSheet[] = [];
  let hidden: ReadSheet | undefined;
  for (const [at, { name, isHidden }] of sheets.slice(0, MAX_SHEETS).entries()) {
    const rows = toRows((await readOneSheet(archive, at + 1)) ?? []);
    if (rows.length > 0 && !isHidden) read.push({ name, rows });
    else if (rows.length > 0) hidden ??= { name, rows };
  }
  if (read.length === 0 && hidden) return [hidden];
  if (read.length === 0) throw new AppError('invalid', importFileTexts.noSheets);
  return read;
}

const READ_PARTS = /^xl\/.*\.(xml|rels)$/;

interface CheckedArchive {
  archive: ArrayBuffer;
  sheets: ListedSheet[];
}

/** The parts that are read, inflated to no more than the directory says, and packed anew without compression. */
async function checkedArchive(file: Uint8Array): Promise<CheckedArchive> {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, autoClose: false });
  const packed = new yazl.ZipFile();
  let sheets: ListedSheet[] = [];
  for await (const entry of zip.eachEntry()) {
    if (!READ_PARTS.test(entry.fileName)) continue;
    const xml = await readBuffer(await zip.openReadStreamPromise(entry));
    const checked = checkXml(new TextDecoder().decode(xml));
    const isWorkbook = entry.fileName === 'xl/workbook.xml';
    if (isWorkbook) sheets = checked;
    packed.addBuffer(isWorkbook ? withKnownEpoch(xml) : xml, entry.fileName, { compress: false });
  }
  packed.end();
  const { buffer, byteOffset, byteLength } = await readBuffer(packed.outputStream);
  return { archive: new Uint8Array(buffer, byteOffset, byteLength).slice().buffer, sheets };
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
    throw refuseAt(Number(row), `column ${columnLetters(Number(column) - 1)}`, importFileTexts.brokenCell);
  }
}

function toRows(cells: SheetData): ReadSheet['rows'] {
  let characters = 0;
  return cells.flatMap((row, at) => {
    const texts = row.map(cellText);
    for (const text of texts) characters += text.length;
    if (characters > MAX_CHARACTERS) throw new AppError('tooLarge', importFileTexts.tooMuchText);
    const last = texts.findLastIndex((text) => text.trim() !== '');
    return last < 0 ? [] : [{ number: at + 1, cells: texts.slice(0, last + 1) }];
  });
}
