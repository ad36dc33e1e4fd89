import { parseId, queryValue } from '#app/server/query-values.server.ts';

/** Returns the id, or undefined if it is absent or empty. Throws 'invalid' for anything else. */
export function parseAircraftIdFilter(url: URL): number | undefined {
  return queryValue(url, 'aircraftId', 'Invalid aircraft', parseId);
}
