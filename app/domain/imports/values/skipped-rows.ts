import type { ImportColumns, ImportTable } from '../records.ts';

const SUM =
  /^\s*(sum|sums|summen?|gesamt|gesamtsumme|zwischensumme|übertrag|(sub|grand )?totals?|totaux|totales|somme|report|à reporter|sumas?)(?![\p{L}\p{N}])/iu;
const NAMING = ['tailNumber', 'pilot', 'email', 'text'];

/** A heading that is repeated on each page, or a line of sums. */
export function isNoRecord(cells: string[], { header }: ImportTable, columns: ImportColumns): boolean {
  if (cells.every((cell, at) => cell.trim() === '' || cell.replace(/\s+/g, ' ').trim() === header[at])) return true;
  const names = NAMING.map((field) => cells[columns[field] ?? -1] ?? '').filter((cell) => cell.trim() !== '');
  if (names.some((cell) => !SUM.test(cell))) return false;
  return (
    cells.some((cell) => SUM.test(cell)) || cells.every((cell) => NUMBER_OR_NOTHING.test(cell) && !DATE.test(cell))
  );
}

const NUMBER_OR_NOTHING = /^\s*([=\d][\d.,:\s]*)?$/;
const DATE = /\d[./-]\d+[./-]\d/;

/** The position from which rows have one cell at most: 'Printed on 1 June'. */
export function findFooter({ header, rows }: ImportTable): number {
  if (header.length < 4) return rows.length;
  return rows.findLastIndex(({ cells }) => cells.filter((cell) => cell.trim() !== '').length > 1) + 1;
}
