import { DUE_SOON_DAYS, DUE_SOON_HOURS, MS_PER_DAY } from '#app/limits.ts';
import { hoursBetween, READING_PATTERN, toHundredths } from '../reading.ts';

/** A reading of a meter, or a day as 'YYYY-MM-DD'. */
export interface DuePoint {
  at: 'hobbs' | 'tach' | 'date';
  value: string;
}

/** Last readings of an aircraft, and the day at the school. */
export interface Standing {
  hobbs: string | null;
  tach: string | null;
  today: string;
}

/** Returns 'Due in 3.4 h', 'Overdue by 1.2 h', 'Due on 3 Dec' or 'Overdue by 2 days'. */
export function dueText(point: DuePoint, standing: Standing): string {
  const excess = excessText(point, standing);
  if (excess !== null) return `Overdue by ${excess}`;
  if (point.at === 'date') return `Due on ${dayText(point.value, standing.today)}`;
  const last = standing[point.at];
  return last === null ? `Due at ${point.value}` : `Due in ${hoursBetween(last, point.value)} h`;
}

/** Returns how far past the point the aircraft is, as '1.2 h' or '2 days'; null at it and before. */
export function excessText(point: DuePoint, standing: Standing): string | null {
  if (!isReached(point, standing)) return null;
  if (point.at === 'date') return daysText(-daysBetween(standing.today, point.value));
  return `${hoursBetween(point.value, standing[point.at] ?? point.value)} h`;
}

/** Returns true within ten hours or thirty days before the point. */
export function isSoon(point: DuePoint, standing: Standing): boolean {
  if (isReached(point, standing)) return false;
  if (point.at === 'date') return daysBetween(standing.today, point.value) <= DUE_SOON_DAYS;
  const last = standing[point.at];
  return last !== null && toHundredths(point.value) - toHundredths(last) <= DUE_SOON_HOURS * 100;
}

/** Returns true past the reading or day: at either it is due, not overdue. */
function isReached(point: DuePoint, standing: Standing): boolean {
  if (point.at === 'date') return daysBetween(standing.today, point.value) < 0;
  const last = standing[point.at];
  return last !== null && toHundredths(last) > toHundredths(point.value);
}

/** Returns true for a point that a meter may show, or a calendar. */
export function isStorable({ at, value }: DuePoint): boolean {
  return at === 'date' ? /^(?!0000)\d{4}-/.test(value) : READING_PATTERN.test(value);
}

/** Returns 'Hobbs 1300.0' or '3 Dec'. */
export function pointText({ at, value }: DuePoint, today: string): string {
  if (at === 'date') return dayText(value, today);
  return `${at === 'hobbs' ? 'Hobbs' : 'tach'} ${value}`;
}

// Aircraft of a school fly about two hours a day.
const HUNDREDTHS_FLOWN_A_DAY = 200;

/** Ranks points by urgency, across meters and dates: the lower, the sooner; below 0 it is overdue. */
export function estimateDaysUntilDue(point: DuePoint, standing: Standing): number {
  if (point.at === 'date') return daysBetween(standing.today, point.value);
  const last = standing[point.at];
  if (last === null) return Number.MAX_SAFE_INTEGER;
  return (toHundredths(point.value) - toHundredths(last)) / HUNDREDTHS_FLOWN_A_DAY;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Returns '3 Dec', with the year unless it is this one. */
export function dayText(day: string, today: string): string {
  const [year = '', month = '', date = ''] = day.split('-');
  const text = `${Number(date)} ${MONTHS[Number(month) - 1]}`;
  return year === today.slice(0, 4) ? text : `${text} ${year}`;
}

function daysText(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / MS_PER_DAY);
}

interface Columns {
  hobbs: string | null;
  tach: string | null;
  date: string | null;
}

/** Returns the point of the one column that is set; null if none is. */
export function toDuePoint({ hobbs, tach, date }: Columns): DuePoint | null {
  if (date !== null) return { at: 'date', value: date };
  if (hobbs !== null) return { at: 'hobbs', value: hobbs };
  return tach === null ? null : { at: 'tach', value: tach };
}

export function toPointColumns(point: DuePoint | null | undefined): Columns {
  const valueAt = (at: DuePoint['at']) => (point?.at === at ? point.value : null);
  return { hobbs: valueAt('hobbs'), tach: valueAt('tach'), date: valueAt('date') };
}

export interface DueInspection {
  id: number;
  name: string;
  due: DuePoint;
}

export interface DueItem extends DueInspection {
  /** Text such as 'Due in 3.4 h', 'Overdue by 1.2 h', 'Due on 3 Dec'. */
  text: string;
  kind: 'overdue' | 'due_soon' | null;
}

/** Puts inspections into words, the most urgent first. */
export function toDueItems<Item extends DueInspection>(inspections: Item[], standing: Standing): (Item & DueItem)[] {
  return inspections
    .toSorted((a, b) => estimateDaysUntilDue(a.due, standing) - estimateDaysUntilDue(b.due, standing) || a.id - b.id)
    .map((inspection) => ({
      ...inspection,
      text: dueText(inspection.due, standing),
      kind: kindOf(inspection.due, standing),
    }));
}

function kindOf(due: DuePoint, standing: Standing): DueItem['kind'] {
  if (isReached(due, standing)) return 'overdue';
  return isSoon(due, standing) ? 'due_soon' : null;
}
