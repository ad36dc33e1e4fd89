/** `iso` is UTC, `text` is in the school's time zone. */
export interface DateTimeText {
  iso: string;
  text: string;
}

/** Returns '12 May 2026, 14:05 PDT'. */
export function formatDateTime(at: Date | string, timeZone: string): DateTimeText {
  const date = new Date(at);
  const { day, month, year, hour, minute, timeZoneName } = dateParts(timeZone, date);
  return { iso: date.toISOString(), text: `${day} ${month} ${year}, ${hour}:${minute} ${timeZoneName}` };
}

/** Returns '12 May 2026'. */
export function formatDate(at: Date | string, timeZone: string): DateTimeText {
  const date = new Date(at);
  const { day, month, year } = dateParts(timeZone, date);
  return { iso: date.toISOString(), text: `${day} ${month} ${year}` };
}

/** Returns '2026-05-12', 'Tue 12 May 2026', '14:05', 'PDT' and '12 May 2026, 14:05 PDT', by one look at the zone. */
export function splitDateTime(at: Date | string, timeZone: string) {
  const { isoDay, weekday, day, month, year, hour, minute, timeZoneName: zone } = dateParts(timeZone, new Date(at));
  const date = `${day} ${month} ${year}`;
  const time = `${hour}:${minute}`;
  return { isoDay, day: `${weekday} ${date}`, time, zone, text: `${date}, ${time} ${zone}` };
}

/** Returns 'Tue', '12' and 'Tue 12 May 2026' for a day of the calendar, as '2026-05-12'. */
export function formatCalendarDay(day: string): { weekday: string; date: string; text: string } {
  const { weekday, day: date, month, year } = dateParts('UTC', new Date(`${day}T12:00:00Z`));
  return { weekday: `${weekday}`, date: `${date}`, text: `${weekday} ${date} ${month} ${year}` };
}

/** Returns '12 May'. */
export function formatDayAndMonth(at: Date | string, timeZone: string): string {
  const { day, month } = dateParts(timeZone, new Date(at));
  return `${day} ${month}`;
}

export function formatYear(at: Date | string, timeZone: string): string {
  return formatIsoDateTime(at, timeZone).slice(0, 4);
}

/** Returns '14:05 PDT'. */
export function formatTime(at: Date | string, timeZone: string): DateTimeText {
  const date = new Date(at);
  const { hour, minute, timeZoneName } = dateParts(timeZone, date);
  return { iso: date.toISOString(), text: `${hour}:${minute} ${timeZoneName}` };
}

/** Returns 'Tue 12 May 14:05'. */
export function formatDayAndTime(at: Date | string, timeZone: string): string {
  const { weekday, day, month, hour, minute } = dateParts(timeZone, new Date(at));
  return `${weekday} ${day} ${month} ${hour}:${minute}`;
}

/** Returns '2026-05-12'. */
export function formatIsoDate(at: Date | string, timeZone: string): string {
  return formatIsoDateTime(at, timeZone).slice(0, 10);
}

/** Returns '2026-05-12T14:05:00-07:00'. */
export function formatIsoDateTime(at: Date | string, timeZone: string): string {
  const date = new Date(at);
  const { offset, local } = zoneAt(timeZone, date);
  const size = Math.abs(offset);
  return `${local.toISOString().slice(0, 19)}${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`;
}

/** Returns the hours between two instants, one decimal, rounded half up: '1.3'. */
export function clockHoursBetween(start: Date | string, end: Date | string): string {
  const minutes = Math.round((new Date(end).getTime() - new Date(start).getTime()) / 1000) / 60;
  return (Math.round(minutes / 6 + Number.EPSILON) / 10).toFixed(1);
}

const QUARTER_MS = 15 * 60_000;
const MAX_KNOWN_QUARTERS = 10_000;
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function dateParts(timeZone: string, date: Date) {
  const { name, local } = zoneAt(timeZone, date);
  return {
    isoDay: local.toISOString().slice(0, 10),
    weekday: WEEKDAYS[local.getUTCDay()],
    day: local.getUTCDate(),
    month: MONTHS[local.getUTCMonth()],
    year: local.getUTCFullYear(),
    hour: twoDigits(local.getUTCHours()),
    minute: twoDigits(local.getUTCMinutes()),
    timeZoneName: name,
  };
}

interface Zone {
  offset: number;
  name: string;
}

function zoneAt(timeZone: string, date: Date): Zone & { local: Date } {
  const zone = findZone(timeZone, date);
  return { ...zone, local: new Date(date.getTime() + zone.offset * 60_000) };
}

const zones = new Map<string, Map<number, Zone>>();

/** Keeps answers by the quarter of an hour, on which clocks are set; Intl takes 5 µs for each. */
function findZone(timeZone: string, date: Date): Zone {
  const quarter = Math.floor(date.getTime() / QUARTER_MS);
  const quarters = zones.get(timeZone) ?? new Map<number, Zone>();
  const known = quarters.get(quarter);
  if (known) return known;
  // The name 'GMT' alone means no offset, else it is 'GMT-07:00'.
  const [, sign, hours, minutes] = /^GMT([+-])(\d{2}):(\d{2})/.exec(zoneName(timeZone, 'longOffset', date)) ?? [];
  const offset = (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
  const zone = { offset, name: zoneName(timeZone, 'short', date) };
  if (quarters.size >= MAX_KNOWN_QUARTERS) quarters.clear();
  zones.set(timeZone, quarters.set(quarter, zone));
  return zone;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function zoneName(timeZone: string, style: 'short' | 'longOffset', date: Date): string {
  const key = `${timeZone} ${style}`;
  // The locale en-US knows the abbreviations of time zones.
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: style });
  formatters.set(key, formatter);
  return formatter.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
