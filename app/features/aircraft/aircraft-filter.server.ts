import { parseId } from '#app/server/ids.server.ts';
import { queryValue } from '#app/server/query/query-values.server.ts';

/** Undefined if absent or empty. Throws 'invalid' for anything but an id. */
export function parseAircraftFilter(url: URL): number | undefined {
  return queryValue(url, 'aircraftId', 'Invalid aircraft', parseId);
}
