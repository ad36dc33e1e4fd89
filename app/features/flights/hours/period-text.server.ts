import { formatCalendarDay } from '#app/domain/format.server.ts';
import type { FlightFilterQuery } from '#app/paths.ts';

/** Returns 'Sun 1 Nov 2026 to Mon 30 Nov 2026'. */
export function periodText({ from, to }: FlightFilterQuery): string {
  const text = (day: string) => formatCalendarDay(day).text;
  if (from === undefined) return to === undefined ? 'all days' : `until ${text(to)}`;
  if (to === undefined) return `since ${text(from)}`;
  return from === to ? text(from) : `${text(from)} to ${text(to)}`;
}
