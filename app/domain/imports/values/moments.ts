import { MAX_YEAR, MS_PER_DAY } from '#app/limits.ts';
import { instantsOfSchoolTime, toSchoolTime } from '../../times/school-time.server.ts';
import type { DateOrder, ImportFormats } from '../reading/answers.ts';
import { requireValue, ValueProblemError } from './value-problem.ts';

/** A time as it is written: perhaps without a clock time, perhaps with a zone. */
export interface ParsedMoment {
  /** 'YYYY-MM-DD' */
  day: string;
  /** 'HH:MM' or 'HH:MM:SS' */
  clock: string | null;
  /** 'Z' or '+02:00' */
  zone: string | null;
}

const ZONE = /\s*(z|utc|gmt|[+-]\d{2}(?::?\d{2})?)$/i;
const BEFORE_CLOCK = /[T\s,]+(?=\d{1,2}(?:[:h.]\d{2}))/;
const WEEKDAY = /^\p{L}{2,10}\.?,?\s+(?=\d)/u;

export function parseMoment(text: string, { dates }: Pick<ImportFormats, 'dates'>): ParsedMoment {
  const at = text.search(BEFORE_CLOCK);
  const split = at > 0 && isDayText(text.slice(0, at)) ? at : -1;
  if (split < 0) return { day: parseDay(text, dates), clock: null, zone: null };
  const rest = text.slice(split).replace(/^[T\s,]+/, '');
  const [end, zone] = ZONE.exec(rest) ?? [];
  return {
    day: parseDay(text.slice(0, split), dates),
    clock: parseClock(end ? rest.slice(0, -end.length) : rest),
    zone: zone ? toOffset(zone) : null,
  };
}

/** Keeps '12 May 2026' from being taken for a day and a clock time. */
function isDayText(text: string): boolean {
  return /\d{4}|\d[-./]\d{1,2}[-./]\d{2}|\d{8}/.test(text);
}

/** 'YYYY-MM-DD'; refuses days that no calendar has. */
export function parseDay(text: string, dates: DateOrder): string {
  return requireValue(tryParseDay(text, dates), `"${text.trim()}" is no date.`);
}

export function tryParseDay(text: string, dates: DateOrder): string | undefined {
  const plain = text.trim();
  const parts = dayParts(plain, dates) ?? dayParts(plain.replace(WEEKDAY, ''), dates);
  return parts && toDay(...parts);
}

/** '14/3', '14.03.', '14-Mar', 'March 14', perhaps after a weekday. */
const YEARLESS =
  /^(?:\p{L}{2,10}\.?,? +)?(?:(\d{1,2})[-./] ?(\d{1,2})\.?|(\d{1,2})(?:st|nd|rd|th|er|\.)?[- ]+(?:de )?(\p{L}{3,10})\.?|(\p{L}{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?)$/u;

export function isYearless(text: string): boolean {
  const [written, , , , month, name] = YEARLESS.exec(text.trim()) ?? [];
  return written !== undefined && monthOf(month ?? name ?? 'jan') <= 12;
}

/** The day in that year ('2025'), where the text has none of its own. */
export function withYear(text: string, year: string, dates: DateOrder): string {
  const [written, first, second, day, month, name, date] = YEARLESS.exec(text.trim()) ?? [];
  if (written === undefined) return text;
  if (first !== undefined) return dates === 'dmy' ? `${year}-${second}-${first}` : `${year}-${first}-${second}`;
  return `${day ?? date} ${month ?? name} ${year}`;
}

type Parts = [year: string, month: number, day: string];

function dayParts(text: string, dates: DateOrder): Parts | undefined {
  const [, first = '', second = '', third = ''] = /^(\d{1,4})[-./\s]+(\d{1,2})[-./\s]+(\d{1,4})\.?$/.exec(text) ?? [];
  if (first.length > 2) return [first, Number(second), third];
  if (first !== '' && dates === 'ymd') return third.length > 2 ? undefined : [first, Number(second), third];
  if (first !== '') return dates === 'mdy' ? [third, Number(first), second] : [third, Number(second), first];
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? [];
  if (year && month && day) return [year, Number(month), day];
  // As spreadsheets count days, from the end of 1899.
  if (/^[2-7]\d{4}(?:\.0+)?$/.test(text)) {
    const counted = new Date(Date.UTC(1899, 11, 30) + Number(text) * MS_PER_DAY);
    return dayParts(counted.toISOString().slice(0, 10), dates);
  }
  return namedParts(text);
}

/** '12. Mai 2026', '12-May-26', 'May 12, 2026' */
function namedParts(text: string): Parts | undefined {
  const [, day, month = '', year] =
    /^(\d{1,2})(?:st|nd|rd|th|er|\.)?[-\s]+(?:de\s+)?(\p{L}{3,10})\.?[-\s,]+(?:de\s+)?(\d{2,4})$/u.exec(text) ?? [];
  if (day && year) return [year, monthOf(month), day];
  const [, name = '', date, ofYear] = /^(\p{L}{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$/u.exec(text) ?? [];
  return date && ofYear ? [ofYear, monthOf(name), date] : undefined;
}

const MONTHS = [
  'jan ene',
  'feb fev',
  'mar mrz',
  'apr avr abr',
  'may mai',
  'jun juin',
  'jul juil',
  'aug aou ago',
  'sep',
  'oct okt',
  'nov',
  'dec dez dic',
].map((names) => names.split(' '));

/** 13 for a word that is no month. */
function monthOf(name: string): number {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const start = plain.startsWith('jui') ? plain.slice(0, 4) : plain.slice(0, 3);
  return MONTHS.findIndex((names) => names.includes(start)) + 1 || 13;
}

function toDay(year: string, month: number, day: string): string | undefined {
  const full = year.length === 4 ? Number(year) : year.length === 2 ? centuryOf(Number(year)) + Number(year) : 0;
  if (full < 1 || full > MAX_YEAR || month > 12 || day.length > 2) return undefined;
  const text = `${String(full).padStart(4, '0')}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined;
}

/** Aircraft logs of two figures are of the last fifty years or so. */
function centuryOf(year: number): number {
  return year < 70 ? 2000 : 1900;
}

function toOffset(zone: string): string {
  if (/^[a-z]/i.test(zone)) return 'Z';
  const [, sign, hours, minutes = '00'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  return `${sign}${hours}:${minutes}`;
}

const CLOCK =
  /^(\d{1,2})(?:[:h.]|\s*uhr\s*)?(\d{2})?(?::(\d{2})(?:\.\d+)?)?\s*(uhr|h|[ap]\.?m\.?|(?<=:\d\d\s*)[ap])?$/i;

/** 'HH:MM', or with seconds that are not zero: of '9:05', '9h05', '0905', '2:05 pm', '2:05p', '14.05 Uhr'. */
export function parseClock(text: string): string {
  return requireValue(tryParseClock(text), `"${text.trim()}" is no time.`);
}

/** As `parseClock`; undefined for what is no time. '905' is five past nine. */
export function tryParseClock(text: string): string | undefined {
  const plain = text.trim().replace(/^\d{3}$/, '0$&');
  const [, first = '', minutes = '00', seconds = '00', suffix = ''] = CLOCK.exec(plain) ?? [];
  const hours = toHours(first, suffix);
  const isBare = /^\d{1,2}$/.test(plain);
  if (hours === undefined || isBare || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const clock = `${String(hours).padStart(2, '0')}:${minutes}`;
  return seconds === '00' ? clock : `${clock}:${seconds}`;
}

function toHours(text: string, suffix: string): number | undefined {
  const hours = Number(text);
  const isHalf = /^[ap]/i.test(suffix);
  if (text === '' || hours > (isHalf ? 12 : 23) || (isHalf && hours < 1)) return undefined;
  return isHalf ? (hours % 12) + (/^p/i.test(suffix) ? 12 : 0) : hours;
}

/** The instants that a written time may mean, oldest first. */
export type FindInstants = (moment: ParsedMoment, inUtc: boolean) => Date[];

/** Remembers the days on which no clock is set: asking the zone for each of 100,000 times takes seconds. */
export function instantFinder(timeZone: string): FindInstants {
  const offsets = new Map<string, number | null>();

  return ({ day, clock, zone }, inUtc) => {
    const time = `${day}T${clock ?? '00:00'}`;
    if (zone !== null || inUtc) return [new Date(`${time}${zone ?? 'Z'}`)];
    if (!offsets.has(day)) offsets.set(day, offsetOn(day, timeZone));
    const offset = offsets.get(day);
    if (typeof offset === 'number') return [new Date(Date.parse(`${time}Z`) - offset)];
    const instants = instantsOfSchoolTime(time, timeZone);
    if (instants.some((instant) => toSchoolTime(instant, timeZone) === time.slice(0, 16))) return instants;
    throw new ValueProblemError(`${clock} does not exist on ${day}: clocks were set forward that night.`);
  };
}

/** Null on and around days on which clocks are set. */
function offsetOn(day: string, timeZone: string): number | null {
  const noon = Date.parse(`${day}T12:00:00Z`);
  const [before = null, after] = [noon - 1.5 * MS_PER_DAY, noon + 1.5 * MS_PER_DAY].map(
    (instant) => Date.parse(`${toSchoolTime(new Date(instant), timeZone)}Z`) - instant,
  );
  return before === after ? before : null;
}
