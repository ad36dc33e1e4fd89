import { MIN_IMPORTED_YEAR, MS_PER_HOUR } from '#app/limits.ts';
import { parseClock } from './clock.ts';
import { type Moment, parseMoment } from './days.ts';
import { parseHundredths } from './decimals.ts';
import type { UntimedFlight } from '../records.ts';
import type { RowReader } from './row-reader.ts';

interface Times {
  startedAt: Date;
  completedAt: Date;
  untimed: UntimedFlight | null;
}

/** A flight that landed before it started by the clock has landed on the next day, up to so many hours later. */
const LONGEST_NIGHT_HOURS = 16;
/** Of an aircraft's first flight on a day without clock times. */
const FIRST_HOUR = '08:00';
/** From that hour to the ends of its day. */
export const UNTIMED_DAY = { before: 8 * MS_PER_HOUR, after: 16 * MS_PER_HOUR };
const MS_PER_HUNDREDTH = MS_PER_HOUR / 100;

export function readTimes(row: RowReader, hobbsHundredths?: number): Times | undefined {
  const start = readStart(row);
  if (!start) return undefined;
  const isDayOnly = start.moment.clock === null;
  const moment = isDayOnly ? { ...start.moment, clock: FIRST_HOUR } : start.moment;
  const [startedAt] = row.instants(start.field, moment) ?? [];
  if (!startedAt) return undefined;
  const completedAt = isDayOnly
    ? new Date(startedAt.getTime() + (readLength(row, hobbsHundredths) ?? 0))
    : readEnd(row, moment, startedAt, hobbsHundredths);
  return checked(row, start, startedAt, completedAt);
}

interface Start {
  field: string;
  moment: Moment;
}

function readStart(row: RowReader): Start | undefined {
  const field = row.isEmpty('startedAt') && row.has('startDate') ? 'startDate' : 'startedAt';
  row.required(field);
  const moment = row.parsed(field, (text, { dates }) => parseMoment(text, dates));
  if (!moment) return undefined;
  if (row.isEmpty('startTime')) return { field, moment };
  const clock = row.parsed('startTime', parseClock);
  return clock === undefined ? undefined : { field: 'startTime', moment: { ...moment, clock, zone: null } };
}

/** Undefined where it was refused, or cannot be known. */
function readEnd(row: RowReader, start: Moment, startedAt: Date, hobbsHundredths?: number): Date | undefined {
  const field = ['completedAt', 'endDate'].find((name) => !row.isEmpty(name));
  const moment = field === undefined ? start : row.parsed(field, (text, { dates }) => parseMoment(text, dates));
  const hasTime = !row.isEmpty('endTime');
  const clock = hasTime ? row.parsed('endTime', parseClock) : moment?.clock;
  if (!moment || clock === undefined) return undefined;
  if (!hasTime && (field === undefined || clock === null)) {
    const length = readLength(row, hobbsHundredths);
    return length === undefined ? undefined : new Date(startedAt.getTime() + length);
  }
  const zone = hasTime ? null : moment.zone;
  const instants = row.instants(hasTime ? 'endTime' : (field ?? 'completedAt'), { ...moment, clock, zone });
  const end = instants?.find((instant) => instant >= startedAt) ?? instants?.at(-1);
  if (!end || end >= startedAt || field !== undefined) return end;
  const next = new Date(end.getTime() + 24 * MS_PER_HOUR);
  return next.getTime() - startedAt.getTime() <= LONGEST_NIGHT_HOURS * MS_PER_HOUR ? next : end;
}

/** From the flight's hours, else from its Hobbs readings, in milliseconds. */
function readLength(row: RowReader, hobbsHundredths: number | undefined): number | undefined {
  const hundredths = row.parsed('flightHours', parseHundredths) ?? hobbsHundredths;
  return hundredths === undefined ? undefined : hundredths * MS_PER_HUNDREDTH;
}

function checked(row: RowReader, { field, moment }: Start, startedAt: Date, completedAt?: Date): Times | undefined {
  if (startedAt.getUTCFullYear() < MIN_IMPORTED_YEAR)
    row.refuse(field, `${moment.day} is before ${MIN_IMPORTED_YEAR}.`);
  const untimed = moment.clock === null ? startedAt.getTime() : null;
  if ((untimed === null ? startedAt.getTime() : untimed - UNTIMED_DAY.before) > row.now.getTime())
    row.refuse(field, `${moment.day} is in the future.`);
  if (!completedAt) return undefined;
  const ends = ['completedAt', 'endTime', 'endDate', 'flightHours'].find((name) => !row.isEmpty(name)) ?? field;
  if (completedAt < startedAt) row.refuse(ends, 'This flight ends before it starts.');
  else if (untimed === null && completedAt > row.now) row.refuse(ends, 'This flight ends in the future.');
  const length = completedAt.getTime() - startedAt.getTime();
  return { startedAt, completedAt, untimed: untimed === null ? null : { day: untimed, length } };
}
