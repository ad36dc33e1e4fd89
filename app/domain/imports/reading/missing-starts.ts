import type { PackedRow } from '../files/packed-row.ts';
import { forEachInSlices } from '../slices.ts';
import type { Question } from './answers.ts';
import { METERS } from './fields.ts';
import type { Places } from './find-columns.ts';

/** The cells of a row by field: empty where no column has it. */
export function cellsOf({ cells }: PackedRow, places: Places): (field: string) => string {
  return (field) => (cells[places[field] ?? -1] ?? '').trim();
}

/** The meters of which a row says the end, and neither the start nor the hours. */
export function withoutStart(cellOf: (field: string) => string) {
  return METERS.filter(({ start, end, hours }) => cellOf(end) !== '' && cellOf(start) === '' && cellOf(hours) === '');
}

/** Asks once where flights began whose readings a file has at their end alone. */
export async function askForStarts(
  { header, rows }: { header: string[]; rows: PackedRow[] },
  places: Places,
  values: Record<string, string>,
): Promise<Question[]> {
  if (values.starts !== undefined || !METERS.some(({ end }) => end in places)) return [];
  let found: { row: number; end: string } | undefined;
  await forEachInSlices(rows, (row) => {
    const cellOf = cellsOf(row, places);
    if (found || (cellOf('aircraft') === '' && values.aircraft === undefined)) return;
    const [meter] = withoutStart(cellOf);
    if (meter) found = { row: row.number, end: meter.end };
  });
  if (!found) return [];
  const { row, end } = found;
  const text = `'${header[places[end] ?? -1]}' has a reading at the end of the flight in row ${row}, and nothing says the one at its start. Where did such flights start? Else write their start readings into a column, as the template has them.`;
  return [{ name: 'values', field: 'starts', text, options: OPTIONS }];
}

const OPTIONS = [
  { value: 'before', text: "Where the aircraft's flight before ended, by order of its readings, in this file or here" },
  { value: 'refuse', text: 'That is not known: these rows are refused' },
];
