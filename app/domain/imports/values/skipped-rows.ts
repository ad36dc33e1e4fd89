import type { Places } from '../reading/find-columns.ts';
import type { Part } from '../reading/find-parts.ts';

const SUM =
  /^\s*(sum|sums|summen?|gesamt|gesamtsumme|zwischensumme|übertrag|(sub|grand )?totals?|totaux|totales|somme|report|à reporter|sumas?)(?![\p{L}\p{N}])/iu;
const NAMING = ['aircraft', 'pilot', 'email', 'text'];

/** A heading that is repeated on each page, or a line of sums. */
export function isNoRecord(cells: string[], header: string[], places: Places): boolean {
  if (cells.every((cell, at) => cell.trim() === '' || cell.replace(/\s+/g, ' ').trim() === header[at])) return true;
  const names = NAMING.map((field) => cells[places[field] ?? -1] ?? '').filter((cell) => cell.trim() !== '');
  if (names.some((cell) => !SUM.test(cell))) return false;
  return (
    cells.some((cell) => SUM.test(cell)) || cells.every((cell) => NUMBER_OR_NOTHING.test(cell) && !DATE.test(cell))
  );
}

const NUMBER_OR_NOTHING = /^\s*([=\d][\d.,:\s]*)?$/;
const DATE = /\d[./-]\d+[./-]\d/;

/** The position from which rows have one cell at most: 'Printed on 1 June'. */
export function findFooter({ header, rows }: Pick<Part, 'header' | 'rows'>): number {
  if (header.length < 4) return rows.length;
  return rows.findLastIndex(({ filled }) => filled > 1) + 1;
}
