import { plainWords } from '../columns/heading-words.ts';
import type { ImportColumns, ImportTable, TableRow } from '../records.ts';

const SUM =
  /^(sum|sums|summe|summen|gesamt|gesamtsumme|zwischensumme|total|totals|totaux|totales|somme|suma|subtotal|grand total|ubertrag|report|a reporter)\b/;

/** A heading that is repeated on each page, or a line of sums. */
export function isNoRecord({ cells }: TableRow, { header }: ImportTable, columns: ImportColumns): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '');
  if (cells.every((cell, at) => cell.trim() === '' || plainEquals(cell, header[at] ?? '')) && filled.length > 1)
    return true;
  const isNamed = ['tailNumber', 'pilot', 'email', 'text'].filter((field) => {
    const cell = cells[columns[field] ?? -1]?.trim() ?? '';
    return cell !== '' && !SUM.test(plainWords(cell).join(' '));
  });
  if (isNamed.length > 0) return false;
  const hasSumWord = filled.some((cell) => SUM.test(plainWords(cell).join(' ')));
  return hasSumWord || filled.every((cell) => /^[=\d][\d.,:\s]*$/.test(cell.trim()) && !/\d[./-]\d+[./-]\d/.test(cell));
}

function plainEquals(cell: string, heading: string): boolean {
  return cell.replace(/\s+/g, ' ').trim() === heading;
}
