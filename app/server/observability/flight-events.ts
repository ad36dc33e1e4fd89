const EVENT_BY_OPERATION = {
  'start flight': 'checked out',
  'complete flight': 'checked in',
  'close flight': 'closed on behalf',
  'cancel check-out': 'cancelled',
};

export const FLIGHT_EVENTS = Object.values(EVENT_BY_OPERATION);

/** Returns what an operation such as 'complete flight 12' did to a flight; undefined for others. */
export function flightEventOf(operation: unknown): string | undefined {
  const found = Object.entries(EVENT_BY_OPERATION).find(([name]) => String(operation).startsWith(name));
  return found?.[1];
}
