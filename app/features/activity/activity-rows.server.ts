import type { ActivityEvent } from '#app/domain/audit/queries.server.ts';
import { formatIsoDateTime } from '#app/domain/format.server.ts';
import { describeEvent, describeDetails } from './describe-event.ts';

type Column = [name: string, cell: (event: ActivityEvent, timeZone: string) => string | number | null];

const COLUMNS: Column[] = [
  ['id', ({ id }) => id],
  ['time', ({ createdAt }, timeZone) => formatIsoDateTime(createdAt, timeZone)],
  ['what', (event) => describeEvent(event)],
  ['details', (event) => describeDetails(event).join('; ')],
  ['person', ({ person }) => person],
  ['address', ({ address }) => address],
  ['outcome', ({ outcome }) => outcome],
  ['times', ({ times }) => times],
  ['request_id', ({ requestId }) => requestId],
  ['kind', ({ action }) => action],
];

/** Writes the header, then a row of cells for each event, newest first. */
export async function* activityRows(
  events: AsyncIterable<ActivityEvent>,
  timeZone: string,
): AsyncGenerator<string[], void> {
  yield COLUMNS.map(([name]) => name);
  for await (const event of events) yield COLUMNS.map(([, cell]) => String(cell(event, timeZone) ?? ''));
}
