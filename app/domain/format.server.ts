/** `iso` is UTC, `text` is in the school's time zone. */
export interface DateTimeText {
  iso: string;
  text: string;
}

/** '12 May 2026, 14:05 PDT' */
export function formatDateTime(at: Date | string, timeZone: string): DateTimeText {
  const date = new Date(at);
  const { day, month, year, hour, minute, timeZoneName } = dateParts(timeZone, date);
  return { iso: date.toISOString(), text: `${day} ${month} ${year}, ${hour}:${minute} ${timeZoneName}` };
}

/** '12 May 2026' */
export function formatDate(at: Date | string, timeZone: string): DateTimeText {
  const date = new Date(at);
  const { day, month, year } = dateParts(timeZone, date);
  return { iso: date.toISOString(), text: `${day} ${month} ${year}` };
}

/** 'Tue 12 May 2026', '14:05' and 'PDT' */
export function splitDateTime(at: Date | string, timeZone: string) {
  const { weekday, day, month, year, hour, minute, timeZoneName } = dateParts(timeZone, new Date(at));
  return { day: `${weekday} ${day} ${month} ${year}`, time: `${hour}:${minute}`, zone: timeZoneName ?? '' };
}

/** 'Tue', '12' and 'Tue 12 May 2026' of a day of the calendar, as '2026-05-12'. */
export function formatCalendarDay(day: string): { weekday: string; date: string; text: string } {
  const { weekday, day: date, month, year } = dateParts('UTC', new Date(`${day}T12:00:00Z`));
  return { weekday: weekday ?? '', date: `${date}`, text: `${weekday} ${date} ${month} ${year}` };
}

/** '12 May' */
export function formatDayAndMonth(at: Date | string, timeZone: string): string {
  const { day, month } = dateParts(timeZone, new Date(at));
  return `${day} ${month}`;
}

/** '2026' */
export function formatYear(at: Date | string, timeZone: string): string {
  return formatIsoDateTime(at, timeZone).slice(0, 4);
}

/** '14:05 PDT' */
export function formatTime(at: Date | string, timeZone: string): DateTimeText {
  const date = new Date(at);
  const { hour, minute, timeZoneName } = dateParts(timeZone, date);
  return { iso: date.toISOString(), text: `${hour}:${minute} ${timeZoneName}` };
}

/** 'Tue 12 May 14:05' */
export function formatDayAndTime(at: Date | string, timeZone: string): string {
  const { weekday, day, month, hour, minute } = dateParts(timeZone, new Date(at));
  return `${weekday} ${day} ${month} ${hour}:${minute}`;
}

/** '2026-05-12' */
export function formatIsoDate(at: Date | string, timeZone: string): string {
  return formatIsoDateTime(at, timeZone).slice(0, 10);
}

/** '2026-05-12T14:05:00-07:00' */
export function formatIsoDateTime(at: Date | string, timeZone: string): string {
  const date = new Date(at);
  const offset = offsetMinutes(date, timeZone);
  const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, 19);
  const two = (value: number) => String(value).padStart(2, '0');
  const size = Math.abs(offset);
  return `${local}${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** Hours between two instants, one decimal, rounded half up: '1.3'. */
export function wallClockHours(start: Date | string, end: Date | string): string {
  const minutes = Math.round((new Date(end).getTime() - new Date(start).getTime()) / 1000) / 60;
  return (Math.round(minutes / 6 + Number.EPSILON) / 10).toFixed(1);
}

const offsets = new Map<string, Intl.DateTimeFormat>();

function offsetMinutes(date: Date, timeZone: string): number {
  const formatter = offsets.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  offsets.set(timeZone, formatter);
  // 'GMT' alone means no offset, else 'GMT-07:00'; historic offsets have seconds.
  const name = formatter.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /^GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
}

const formatters = new Map<string, Intl.DateTimeFormat>();

// en-US knows the abbreviations of time zones.
function dateParts(timeZone: string, date: Date): Partial<Record<Intl.DateTimeFormatPartTypes, string>> {
  const formatter =
    formatters.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'short',
    });
  formatters.set(timeZone, formatter);
  return Object.fromEntries(formatter.formatToParts(date).map(({ type, value }) => [type, value]));
}
