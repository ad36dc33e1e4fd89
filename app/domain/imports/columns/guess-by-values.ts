import type { ImportColumns, ImportKind, ImportTable } from '../records.ts';
import type { ColumnProfile } from './column-profile.ts';

/** Fills what the headings left open, by cells that can be only one thing. */
export function guessByValues(
  kind: ImportKind,
  table: ImportTable,
  profiles: ColumnProfile[],
  columns: ImportColumns,
): void {
  const isFree = (column: number) => !Object.values(columns).includes(column);
  const take = (field: string, isOne: (profile: ColumnProfile) => boolean) => {
    if (columns[field] !== null || !(field in columns)) return;
    const found = profiles.findIndex((profile, column) => profile.filled > 0 && isFree(column) && isOne(profile));
    if (found >= 0) columns[field] = found;
  };
  take(
    'tailNumber',
    ({ tail, distinct, filled }) => tail >= 0.9 && (kind === 'fleet' || distinct < filled || filled < 4),
  );
  take('email', ({ email }) => email >= 0.9);
  if (kind !== 'flights') return;
  if (columns.startedAt === null && columns.startDate === null) {
    take('startedAt', ({ datetime }) => datetime >= 0.9);
    if (columns.startedAt === null) take('startDate', ({ date }) => date >= 0.9);
  }
  takeReadings(table, profiles, columns, isFree);
  take(
    'pilot',
    ({ letters, tail, distinct, filled }) => letters === 1 && tail < 0.5 && distinct > 1 && distinct < filled,
  );
}

const METERS = [
  ['startHobbs', 'endHobbs'],
  ['startTach', 'endTach'],
] as const;
const LONGEST_FLIGHT = 24;

/** Two columns side by side, of which the second is a little higher in each row: readings before and after. */
function takeReadings(
  table: ImportTable,
  profiles: ColumnProfile[],
  columns: ImportColumns,
  isFree: (column: number) => boolean,
): void {
  for (const [start, end] of METERS) {
    if (columns[start] !== null || columns[end] !== null) continue;
    const pair = profiles.findIndex(
      ({ number }, at) => number === 1 && isFree(at) && isFree(at + 1) && isPair(table, at),
    );
    if (pair >= 0) [columns[start], columns[end]] = [pair, pair + 1];
  }
}

function isPair(table: ImportTable, at: number): boolean {
  const differences = table.rows.slice(0, 100).map(({ cells }) => decimal(cells[at + 1]) - decimal(cells[at]));
  const hasDecimals = table.rows.slice(0, 100).some(({ cells }) => /[.,]\d{1,2}$/.test(cells[at] ?? ''));
  return hasDecimals && differences.every((difference) => difference > 0 && difference < LONGEST_FLIGHT);
}

function decimal(text = ''): number {
  return Number(
    text
      .trim()
      .replace(/[.,](?=\d{3}\b)/g, '')
      .replace(',', '.') || NaN,
  );
}
