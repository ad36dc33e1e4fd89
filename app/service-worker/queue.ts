import { paths } from '#app/paths.ts';
import type { Unsent } from '../islands/outbox/outbox.ts';

export interface OpenFlight {
  id: number;
  aircraftId: number;
}

/** Finds what can be sent next, in the order in which it was typed; a check-in waits for its check-out. */
export function nextToSend(items: Unsent[], owners: string[]): Unsent | undefined {
  return items
    .filter((item) => owners.includes(item.owner) && item.state !== 'returned')
    .find(({ after }) => after === null || !items.some(({ id }) => id === after));
}

/** The flight of a check-in whose check-out was not sent from here: the pilot's own of the same aircraft. */
export function flightOf({ flightId, aircraftId }: Unsent, openFlight: OpenFlight | null): number | null {
  return flightId ?? (openFlight?.aircraftId === aircraftId ? openFlight.id : null);
}

export type Outcome =
  | { kind: 'sent'; flightId: number | null }
  | { kind: 'returned'; text: string; to: string; squawkTo?: string | undefined }
  | { kind: 'signed out' }
  | { kind: 'later' };

/** Only JSON is the server's word on the form; whatever else comes, it is sent again. */
export async function outcomeOf(response: Response): Promise<Outcome> {
  if (response.status === 401) return { kind: 'signed out' };
  if (!response.headers.get('content-type')?.startsWith('application/json') || response.status >= 500) {
    return { kind: 'later' };
  }
  const answer: { flightId?: number | null; text?: string; to?: string; squawkTo?: string } = await response.json();
  if (response.ok) return { kind: 'sent', flightId: answer.flightId ?? null };
  return { kind: 'returned', text: answer.text ?? '', to: answer.to ?? '/', squawkTo: answer.squawkTo };
}

/** The outcome of a check-in whose flight is not open. */
export function flightGone({ aircraftId }: Unsent): Outcome {
  return {
    kind: 'returned',
    text: 'Its flight is not open any more. Please look at it in the flight logs.',
    to: paths.flightLogs,
    squawkTo: aircraftId === null ? undefined : paths.addSquawk(aircraftId),
  };
}
