import type { PackedRow } from '../files/packed-row.ts';
import { forEachInSlices } from '../slices.ts';
import type { Question } from './answers.ts';
import { METERS } from './fields.ts';
import type { Places } from './find-columns.ts';
import { isNoRecord } from './find-parts.ts';
import { wordsOf } from './heading-words.ts';

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
    if (found || isNoRecord(row.cells, header, places)) return;
    const cellOf = cellsOf(row, places);
    if (cellOf('aircraft') === '' && values.aircraft === undefined) return;
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

const ISO = /^\d{4}-\d{2}-(\d{2})/;
const SLASHED = /^(\d{1,2})[-./](\d{1,2})[-./]\d{2,4}/;

/** Asks once whether days are right that a spreadsheet may have swapped: dates up to the 12th beside texts of later days. */
export async function askForSwappedDays(
  { header, rows }: { header: string[]; rows: PackedRow[] },
  places: Places,
  values: Record<string, string>,
): Promise<Question[]> {
  const field = ['date', 'start'].find((name) => name in places) ?? '';
  let [date, text, isUsual]: [string?, string?, boolean?] = [];
  await forEachInSlices(rows, (row) => {
    const cell = cellsOf(row, places)(field);
    const [, day] = ISO.exec(cell) ?? [];
    const [, first, second] = SLASHED.exec(cell) ?? [];
    const isLate = Math.max(...[day, first, second].map((part) => Number(part ?? 0))) > 12;
    if (day !== undefined) date ??= `${cell} (row ${row.number})`;
    else if (first !== undefined && isOfSomeYear(Number(first), Number(second))) text ??= `${cell} (row ${row.number})`;
    if (day !== undefined ? isLate : first !== undefined && !isLate) isUsual = true;
  });
  if (date === undefined || text === undefined || isUsual || values.days !== undefined) return [];
  const question = `In '${header[places[field] ?? -1]}' days up to the 12th are dates, such as ${date}, and later ones texts, such as ${text}: a spreadsheet may have swapped their day and month. Are the dates right? Else correct them in the file.`;
  return [{ name: 'values', field: 'days', text: question, options: [{ value: 'right', text: 'They are right' }] }];
}

/** Whether day and month, in either order, are a date of a leap year. */
function isOfSomeYear(...parts: [number, number]): boolean {
  const [month, day] = [Math.min(...parts), Math.max(...parts)];
  return day <= new Date(Date.UTC(2024, month, 0)).getUTCDate();
}

/** Asks once in what oil is measured, where neither its heading nor a cell says so. */
export async function askForOil(
  { header, rows }: { header: string[]; rows: PackedRow[] },
  places: Places,
  values: Record<string, string>,
): Promise<Question[]> {
  const heading = header[places.oil ?? -1] ?? '';
  if (!('oil' in places) || values.oilUnit !== undefined || oilUnitOf(heading)) return [];
  let open: { row: number; text: string } | undefined;
  await forEachInSlices(rows, (row) => {
    const text = cellsOf(row, places)('oil');
    if (!open && !isNoRecord(row.cells, header, places) && /^[\d.,]*[1-9][\d.,]*$/.test(text))
      open = { row: row.number, text };
  });
  if (!open) return [];
  const options = [
    { value: 'quarts', text: `${open.text} quarts` },
    { value: 'liters', text: `${open.text} liters, stored as quarts` },
  ];
  const text = `How much oil is ${open.text} (row ${open.row}) in '${heading}'?`;
  return [{ name: 'values', field: 'oilUnit', text, options }];
}

/** Asks once what becomes of squawks of which a file says what was done, and no state. */
export async function askWhatWasDone(
  { header, rows }: { header: string[]; rows: PackedRow[] },
  places: Places,
  values: Record<string, string>,
): Promise<Question[]> {
  if (!('remark' in places) || 'state' in places || values.done !== undefined) return [];
  let done: { row: number; text: string } | undefined;
  await forEachInSlices(rows, (row) => {
    const text = cellsOf(row, places)('remark');
    if (!done && text !== '' && !isNoRecord(row.cells, header, places)) done = { row: row.number, text };
  });
  if (!done) return [];
  const text = `'${header[places.remark ?? -1]}' says what was done, as in row ${done.row}, and no column says whether a squawk is open, deferred or fixed. What are the squawks with such a text? Else add a column 'State' to the file.`;
  const options = [
    { value: 'fixed', text: 'Fixed; those without are open' },
    { value: 'open', text: 'Open; the text is left out' },
  ];
  return [{ name: 'values', field: 'done', text, options }];
}

export function oilUnitOf(text: string): 'quarts' | 'liters' | undefined {
  const words = wordsOf(text);
  if (words.some((word) => QUARTS.has(word))) return 'quarts';
  return words.some((word) => LITERS.has(word)) ? 'liters' : undefined;
}

const QUARTS = new Set(['qt', 'qts', 'quart', 'quarts']);
const LITERS = new Set(['l', 'liter', 'liters', 'litre', 'litres', 'litro', 'litros']);
