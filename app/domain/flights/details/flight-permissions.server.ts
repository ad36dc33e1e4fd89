import type { Actor } from '../../actor.ts';
import { can } from '../../permissions.ts';
import { isClosableBy } from '../close-flight.server.ts';
import type { FoundFlight } from './find-flight-details.server.ts';

export interface FlightPermissions {
  complete: boolean;
  cancel: boolean;
  close: boolean;
  correct: boolean;
  ground: boolean;
}

/** Returns what the user may do with a flight of their school now. */
export function flightPermissions(reader: Actor, { log, isRecentLast, canBeGrounded }: FoundFlight): FlightPermissions {
  const open = log.completedAt === null;
  const own = log.user.id === reader.id;
  return {
    complete: open && own,
    cancel: open && (own || can(reader.role, 'cancel any check-out')),
    close: open && !own && isClosableBy(reader, new Date(log.createdAt)),
    correct: can(reader.role, 'correct any flight') || (own && (open || isRecentLast)),
    ground: can(reader.role, 'set aircraft status') && canBeGrounded,
  };
}
