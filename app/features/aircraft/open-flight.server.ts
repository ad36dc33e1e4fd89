import type { Actor } from '#app/domain/actor.ts';
import type { OpenFlight } from '#app/domain/flights/schema.server.ts';
import { markedName, type NamesakeMarks } from '#app/domain/people/namesakes.server.ts';
import { can } from '#app/domain/permissions.ts';

export type OpenFlightView = ReturnType<typeof toOpenFlight>;

/** Names the pilot only to a reader who may see it. */
export function toOpenFlight({ id, user, createdAt }: OpenFlight, reader: Actor, marks: NamesakeMarks = new Map()) {
  const isOwn = user.id === reader.id;
  const isSeen = isOwn || can(reader.role, 'see all open flights');
  return { id, out: outDurationText(new Date(createdAt)), pilot: isSeen ? markedName(marks, user) : null, isOwn };
}

const MINUTE_MS = 60_000;

/** Returns 'out 1 h 12' or 'out 12 min'. */
export function outDurationText(since: Date, now = Date.now()): string {
  const minutes = Math.max(0, Math.floor((now - since.getTime()) / MINUTE_MS));
  if (minutes < 60) return `out ${minutes} min`;
  return `out ${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')}`;
}
