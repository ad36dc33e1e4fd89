import { hoursFlown, type LoggedFlight } from './logbook.ts';

const DAY_MS = 86_400_000;
const WEEKS = 8;
const MONTHS = 12;

/** The flights' hours by the week or month of their start on a calendar in the time zone, newest first. */
export function sumsBy(period: 'week' | 'month', flights: LoggedFlight[], timeZone: string, today: Date) {
  const calendar = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const startOf = (at: Date) =>
    period === 'week' ? mondayOf(calendar.format(at)) : `${calendar.format(at).slice(0, 7)}-01`;
  const first =
    period === 'week' ? daysLater(startOf(today), -7 * (WEEKS - 1)) : monthsEarlier(startOf(today), MONTHS - 1);
  const sums = new Map<string, { start: string; flights: number; hobbs: number; tach: number }>();
  for (const flight of flights) {
    const start = startOf(flight.startedAt);
    if (flight.endedAt === null || start < first) continue;
    const sum = sums.get(start) ?? { start, flights: 0, hobbs: 0, tach: 0 };
    sum.flights += 1;
    sum.hobbs += hoursFlown(flight, 'hobbs') ?? 0;
    sum.tach += hoursFlown(flight, 'tach') ?? 0;
    sums.set(start, sum);
  }
  return [...sums.values()].toSorted((a, b) => (a.start < b.start ? 1 : -1));
}

function mondayOf(day: string): string {
  return daysLater(day, -((new Date(`${day}T00:00Z`).getUTCDay() + 6) % 7));
}

function daysLater(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

function monthsEarlier(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const count = year * 12 + number - 1 - months;
  return `${Math.floor(count / 12)}-${String((count % 12) + 1).padStart(2, '0')}-01`;
}
