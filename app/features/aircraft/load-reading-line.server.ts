import type { Actor } from '#app/domain/actor.ts';
import { findLinePage, findSegmentChanges } from '#app/domain/aircraft/line-queries.server.ts';
import type { Cursor } from '#app/domain/list-pages.server.ts';
import { paths } from '#app/paths.ts';
import { formatCursor } from '#app/server/query-values.server.ts';
import { db } from '#app/server/db.server.ts';
import { toReadingLineView } from './reading-line-view.server.ts';

export async function loadReadingLine(
  reader: Actor,
  { id, tailNumber }: { id: number; tailNumber: string },
  after?: Cursor,
) {
  const line = await findLinePage(db, reader.schoolId, id, after);
  // The flight before the oldest one is added, because earlier changes would seem to follow it.
  const inOrder = [...(line.previous ? [line.previous] : []), ...line.flights.toReversed()];
  const changes = await findSegmentChanges(db, reader.schoolId, id, inOrder);
  return {
    line: toReadingLineView(line, reader, tailNumber, changes),
    older: line.older && paths.aircraftReadings(id, { after: formatCursor(line.older) }),
    newest: after ? paths.aircraftReadings(id, {}) : null,
  };
}
