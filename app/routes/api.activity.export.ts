import { recordExport } from '#app/domain/audit/record-export.server.ts';
import { type ActivityEvent, streamActivity } from '#app/domain/audit/queries.server.ts';
import { formatIsoDate, formatIsoDateTime } from '#app/domain/format.server.ts';
import { describeDetails, describeEvent } from '#app/features/activity/describe-event.ts';
import { parseActivityFilter } from '#app/features/activity/activity-filter.server.ts';
import { authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { csvResponse } from '#app/server/api/download-response.server.ts';
import { csvOfRows } from '#app/server/csv.server.ts';
import { db } from '#app/server/db.server.ts';
import { exportDb, withExportSlot } from '#app/server/api/exports.server.ts';

export const loader = apiResource({
  GET: authedCall({
    can: 'see activity',
    school: 'optional',
    run: async ({ actor, url, request }) => {
      const filter = parseActivityFilter(url);
      const name = `activity-${formatIsoDate(new Date(), actor.timeZone)}.csv`;
      return csvResponse(request, name, async () => {
        await recordExport(db, actor, 'exported activity', filter);
        const rows = activityRows(streamActivity(exportDb, { ...actor, ...filter }), actor.timeZone);
        return csvOfRows(withExportSlot(actor.schoolId, rows));
      });
    },
  }),
});
export const action = loader;

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

async function* activityRows(events: AsyncIterable<ActivityEvent>, timeZone: string): AsyncGenerator<string[], void> {
  yield COLUMNS.map(([name]) => name);
  for await (const event of events) yield COLUMNS.map(([, cell]) => String(cell(event, timeZone) ?? ''));
}
