/** An instant for a page: `iso` in UTC for machines, `text` in the school's zone for people (C41). */
export interface Moment {
  iso: string;
  text: string;
}

/** '12 May 2026, 14:05 PDT' in the given IANA zone, 24-hour. */
export function moment(at: Date | string, timeZone: string): Moment {
  const date = new Date(at);
  return { iso: date.toISOString(), text: formatter(timeZone, MOMENT).format(date) };
}

/** '12 May 2026' in the given IANA zone. */
export function day(at: Date | string, timeZone: string): Moment {
  const date = new Date(at);
  return { iso: date.toISOString(), text: formatter(timeZone, DAY).format(date) };
}

/** Wall-clock hours between two instants, one decimal, half up: '1.3' (spec §9, C42). */
export function clockHours(start: Date | string, end: Date | string): string {
  const minutes = Math.round((new Date(end).getTime() - new Date(start).getTime()) / 1000) / 60;
  return (Math.round(minutes / 6 + Number.EPSILON) / 10).toFixed(1);
}

const DAY: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', year: 'numeric' };
const MOMENT: Intl.DateTimeFormatOptions = {
  ...DAY,
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
};

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timeZone} ${options === MOMENT}`;
  const known = formatters.get(key) ?? new Intl.DateTimeFormat('en-GB', { ...options, timeZone });
  formatters.set(key, known);
  return known;
}
