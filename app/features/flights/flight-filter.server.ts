import { AppError } from '#app/domain/app-error.ts';
import type { FlightFilter } from '#app/domain/flights/logbook/flight-filter.server.ts';
import type { FlightFilterQuery } from '#app/paths.ts';
import { parseId, parseIsoDay, parseSince, queryValue, queryWords } from '#app/server/query-values.server.ts';

/** Reads the filter as the address has it; empty values count as absent. Throws 'invalid'. */
export function parseFlightFilter(url: URL): FlightFilterQuery {
  return {
    aircraftId: queryValue(url, 'aircraftId', 'Invalid aircraft', parseId),
    pilotId: queryValue(url, 'pilotId', 'Invalid pilot', parseId),
    instructorId: queryValue(url, 'instructorId', 'Invalid instructor', parseId),
    from: queryValue(url, 'from', 'Invalid date', parseIsoDay),
    to: queryValue(url, 'to', 'Invalid date', parseIsoDay),
    status: queryValue(url, 'status', 'Invalid status', parseStatus),
    q: queryWords(url, 'q'),
    since: queryValue(url, 'since', 'Invalid date', parseSince),
  };
}

/** Reads it for answers without a form in which the days could be mended. Throws 'invalid'. */
export function parseFilterWithOrderedDays(url: URL, { timeZone }: { timeZone: string }): FlightFilter {
  const filter = parseFlightFilter(url);
  if (hasReversedDays(filter)) throw new AppError('invalid', DAYS_REVERSED);
  return { ...filter, timeZone };
}

export const DAYS_REVERSED = 'The first day is after the last day';

export function hasReversedDays({ from, to }: FlightFilterQuery): boolean {
  return from !== undefined && to !== undefined && from > to;
}

/** Returns the filter where links show its days already. */
export function withoutDays({ from: _from, to: _to, ...filter }: FlightFilterQuery): FlightFilterQuery {
  return filter;
}

/** Returns only the values that are set, for the events and for links. */
export function givenFilters(filter: FlightFilterQuery): FlightFilterQuery {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

function parseStatus(text: string): FlightFilterQuery['status'] {
  return text === 'in_progress' || text === 'completed' ? text : undefined;
}
