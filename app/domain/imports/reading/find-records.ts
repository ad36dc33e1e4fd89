import { forEachInSlices } from '../slices.ts';
import type { ColumnIndexes } from './find-columns.ts';
import { METERS } from './fields.ts';
import type { FileTable } from './find-file-tables.ts';

/** The cell of a row by field; '' where no column has it. */
export type CellOf = (field: string) => string;

/** Visits the rows of a table that are records, in slices. */
export async function forEachRecord(
  { header, rows }: Pick<FileTable, 'header' | 'rows'>,
  places: ColumnIndexes,
  visit: (cellOf: CellOf, row: number) => void,
): Promise<void> {
  await forEachInSlices(rows, ({ number, cells }) => {
    if (!isNoRecord(cells, header, places)) visit(cellsBy(places, cells), number);
  });
}

function cellsBy(places: ColumnIndexes, cells: string[]): CellOf {
  return (field) => (cells[places[field] ?? -1] ?? '').trim();
}

/** The meters of which a row says the end, and neither the start nor the hours. */
export function metersWithoutStart(cellOf: CellOf) {
  return METERS.filter(({ start, end, hours }) => cellOf(end) !== '' && cellOf(start) === '' && cellOf(hours) === '');
}

const SUM =
  /^\s*(sum|sums|summen?|gesamt|gesamtsumme|zwischensumme|übertrag|(sub|grand )?totals?|totaux|totales|somme|report|à reporter|sumas?)(?![\p{L}\p{N}])/iu;
const NUMBER_OR_NOTHING = /^\s*([=\d][\d.,:\s]*)?$/;
const DATE = /\d[./-]\d+[./-]\d/;

/** A heading that is repeated on each page, or a line of sums. */
export function isNoRecord(cells: string[], header: string[], places: ColumnIndexes): boolean {
  const cellOf = cellsBy(places, cells);
  if (cells.every((cell, at) => cell.trim() === '' || cell.replace(/\s+/g, ' ').trim() === header[at])) return true;
  if (SUM.test(cellOf('date'))) return true;
  const isReported = cellOf('reportedAt') !== '';
  const naming = ['aircraft', 'pilot', 'email', ...(isReported ? [] : ['text'])].map(cellOf);
  const names = naming.filter((cell) => cell !== '');
  if (names.some((cell) => !SUM.test(cell))) return false;
  // A sum says so where rows have their names, or first of all; a note may begin with 'Total', too.
  const isSum = names.length > 0 || (!isReported && SUM.test(cells.find((cell) => cell.trim() !== '') ?? ''));
  // The second leg of a flight, whose names stand in the row above, is none.
  if (!isSum && /\d/.test(cellOf('startHobbs')) && /\d/.test(cellOf('endHobbs'))) return false;
  return isSum || cells.every((cell) => NUMBER_OR_NOTHING.test(cell) && !DATE.test(cell));
}
