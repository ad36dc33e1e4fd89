import type { CellValue } from 'read-excel-file/universal';
import { MS_PER_DAY } from '#app/limits.ts';
import { toStorable } from '../../../storable-text.ts';

export const EPOCHS = { usual: Date.UTC(1899, 11, 30), of1904: Date.UTC(1904, 0, 1) };
/** Dates less than so many days after it are lengths of time: 28 January 1900 05:30 is 701:30. */
const LENGTH_DAYS = 3660;

/** Returns a text that can be read in one way only: '2026-05-12 14:05', '14:05', '1234.5', 'TRUE'. */
export function cellText(value: CellValue | null | undefined, epoch = EPOCHS.usual): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return dateText(value, epoch);
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'number') return numberText(value);
  return typeof value === 'string' ? toStorable(value) : '';
}

/** Excel counts to fifteen figures; those beyond are the binary form's. */
function numberText(value: number): string {
  const rounded = Number(value.toPrecision(15));
  return Math.abs(rounded) < 1e15 ? rounded.toFixed(12).replace(/\.?0+$/, '') : String(rounded);
}

function dateText(date: Date, epoch: number): string {
  if (Number.isNaN(date.getTime())) return '';
  // A share of a day lies milliseconds beside its second.
  const rounded = new Date(Math.round(date.getTime() / 1000) * 1000);
  const [day = '', time = ''] = rounded.toISOString().split('T');
  const clock = time.slice(0, time.slice(6, 8) === '00' ? 5 : 8);
  const days = (Date.parse(day) - epoch) / MS_PER_DAY;
  if (days === 0) return clock;
  if (days < LENGTH_DAYS) return elapsedText(rounded.getTime() - epoch);
  return clock === '00:00' ? day : `${day} ${clock}`;
}

function elapsedText(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
}
