import type { Actor } from '#app/domain/actor.ts';
import type { OpenFlight } from '#app/domain/flights/schema.server.ts';
import { can } from '#app/domain/permissions.ts';
import { outDurationText } from './out-duration-text.ts';

export type OpenFlightView = ReturnType<typeof toOpenFlight>;

/** Names the pilot only to a reader who may see it. */
export function toOpenFlight({ id, user, createdAt }: OpenFlight, reader: Actor) {
  const isSeen = user.id === reader.id || can(reader.role, 'see all open flights');
  return { id, out: outDurationText(new Date(createdAt)), pilot: isSeen ? user.username : null };
}
