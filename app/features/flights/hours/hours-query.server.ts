import { AppError } from '#app/domain/app-error.ts';
import type { FlightFilter } from '#app/domain/flights/logbook/flight-filter.server.ts';
import { HOURS_BY, type HoursBy } from '#app/domain/flights/logbook/hours.server.ts';
import { formatIsoDate } from '#app/domain/format.server.ts';
import { queryValue } from '#app/server/query-values.server.ts';
import { DAYS_REVERSED, hasReversedDays, parseFlightFilter } from '../flight-filter.server.ts';
import { monthOf } from './periods.ts';

/** Reads the query; if the address names no day, it is for the flights since the month began. */
export function readHoursQuery(
  url: URL,
  { timeZone }: { timeZone: string },
  now: Date,
): { by: HoursBy; filter: FlightFilter } {
  const by = queryValue(url, 'by', 'Invalid grouping', (text) => HOURS_BY.find((known) => known === text)) ?? 'pilot';
  const filter = parseFlightFilter(url);
  const days = (filter.from ?? filter.to) ? {} : monthOf(formatIsoDate(now, timeZone));
  return { by, filter: { ...filter, ...days, timeZone } };
}

/** Reads it for an answer without a form in which the days could be mended. Throws 'invalid'. */
export function parseHoursQueryWithOrderedDays(url: URL, reader: { timeZone: string }, now: Date) {
  const query = readHoursQuery(url, reader, now);
  if (hasReversedDays(query.filter)) throw new AppError('invalid', DAYS_REVERSED);
  return query;
}
