import { setImmediate } from 'node:timers/promises';
import { IMPORT_SLICE_ROWS, MAX_IMPORT_CELL_CHARACTERS, MAX_IMPORT_COLUMNS, MAX_IMPORT_ROWS } from '#app/limits.ts';
import { AppError } from '../../app-error.ts';
import { columnLetters } from '../../sheets/cell-kinds.ts';
import type { ImportTable, SheetRow } from '../records.ts';
import { importFileTexts, refuseAt } from './import-file-texts.ts';
import type { PackedRow } from './packed-row.ts';

const TITLE_LINES = 20;

/** Takes the first row that is as full as the others for the headings; what stands above is the sheet's title. */
export async function toTable(rows: PackedRow[]): Promise<ImportTable> {
  const first = findHeadings(rows);
  const [headings, ...data] = rows.slice(first);
  if (!headings) throw new AppError('invalid', importFileTexts.empty);
  if (Math.max(headings.cells.length, data[0]?.cells.length ?? 0) < 2)
    throw new AppError('invalid', importFileTexts.oneColumn);
  if (data.length === 0) throw new AppError('invalid', importFileTexts.headingsOnly);
  if (data.length > MAX_IMPORT_ROWS) throw new AppError('invalid', importFileTexts.tooManyRows);
  const { width, long } = await measure(data);
  const header = headingsOf(headings, Math.max(width, headings.cells.length), rows[first - 1]);
  if (long) throw refuseAt(long.row, header[long.column], importFileTexts.cellTooLong);
  for (const row of data) row.width = header.length;
  return { header, rows: data };
}

/** How wide the rows are, and the first cell that is too long. */
async function measure(rows: PackedRow[]) {
  let width = 0;
  let long: { row: number; column: number } | undefined;
  for (const [at, { number, cells }] of rows.entries()) {
    if (at % IMPORT_SLICE_ROWS === 0) await setImmediate();
    width = Math.max(width, cells.length);
    const column = cells.findIndex((cell) => cell.length > MAX_IMPORT_CELL_CHARACTERS);
    if (column >= 0) long ??= { row: number, column };
  }
  return { width, long };
}

function findHeadings(rows: SheetRow[]): number {
  const first = rows.slice(0, TITLE_LINES).map(({ cells }) => filled(cells));
  const usual = Math.max(...first);
  return Math.max(
    0,
    first.findIndex((count) => count >= Math.max(2, usual / 2)),
  );
}

function filled(cells: string[]): number {
  return cells.filter((cell) => cell.trim() !== '').length;
}

/** One line each; a column without a heading goes by its letter. */
function headingsOf(headings: SheetRow, width: number, above?: SheetRow): string[] {
  if (width > MAX_IMPORT_COLUMNS) throw refuseAt(headings.number, undefined, importFileTexts.tooManyColumns);
  const header = Array.from({ length: width }, (_, at) => {
    const heading = (headings.cells[at] ?? '').replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
    if (heading.length > MAX_IMPORT_CELL_CHARACTERS) {
      throw refuseAt(headings.number, `column ${columnLetters(at)}`, importFileTexts.cellTooLong);
    }
    return heading || `Column ${columnLetters(at)}`;
  });
  const distinct = new Set(header).size < header.length && above ? withGroups(header, above.cells) : header;
  refuseTwice(distinct, headings.number);
  return distinct;
}

/** 'Start' below 'Hobbs' is 'Hobbs Start', as is 'Stop' to the right of it. */
function withGroups(header: string[], above: string[]): string[] {
  let group = '';
  return header.map((heading, at) => {
    group = above[at]?.trim() || group;
    const isTwice = header.indexOf(heading) !== header.lastIndexOf(heading);
    return isTwice && group !== '' ? `${group} ${heading}` : heading;
  });
}

function refuseTwice(header: string[], row: number): void {
  const second = header.findIndex((heading, at) => header.indexOf(heading) < at);
  if (second < 0) return;
  const [heading = '', first] = [header[second], header.indexOf(header[second] ?? '')];
  const places = `columns ${columnLetters(first)} and ${columnLetters(second)}`;
  throw refuseAt(row, heading, `Two columns have this heading, ${places}. Please rename one of them.`);
}
