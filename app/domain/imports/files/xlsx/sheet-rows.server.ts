import { readSheet, type SheetData } from 'read-excel-file/universal';
import { MAX_IMPORT_BYTES } from '#app/limits.ts';
import { AppError } from '../../../app-error.ts';
import type { SheetRow } from '../../records.ts';
import { columnLetters } from '../../../sheets/cell-kinds.ts';
import { importFileTexts, refuseAt } from '../import-file-texts.ts';
import { cellText } from './cell-text.ts';
import { checkedArchive } from './checked-archive.server.ts';

const SHEETS_TRIED = 5;

/** A CSV file of as much is too large, too; one text may stand in millions of cells. */
const MAX_CHARACTERS = MAX_IMPORT_BYTES;

/** The rows of the first sheet with a table that is not hidden, else of the first that has any, with their numbers in it. */
export async function sheetRows(file: Uint8Array): Promise<SheetRow[]> {
  const { archive, isHidden } = await checkedArchive(file);
  let other: SheetRow[] | undefined;
  for (let sheet = 1; sheet <= SHEETS_TRIED; sheet += 1) {
    const rows = toRows((await readOneSheet(archive, sheet)) ?? []);
    if (isTable(rows) && !isHidden[sheet - 1]) return rows;
    if (rows.length > 0) other ??= rows;
  }
  if (other) return other;
  throw new AppError('invalid', importFileTexts.noSheets);
}

function isTable(rows: SheetRow[]): boolean {
  return rows.filter(({ cells }) => cells.length > 1).length > 1;
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

function toRows(cells: SheetData): SheetRow[] {
  let characters = 0;
  return cells.flatMap((row, at) => {
    const texts = row.map(cellText);
    for (const text of texts) characters += text.length;
    if (characters > MAX_CHARACTERS) throw new AppError('tooLarge', importFileTexts.tooMuchText);
    const last = texts.findLastIndex((text) => text.trim() !== '');
    return last < 0 ? [] : [{ number: at + 1, cells: texts.slice(0, last + 1) }];
  });
}
