import { recordExport } from '#app/domain/audit/record-export.server.ts';
import { exportFlightLogs } from '#app/domain/flights/exported/export-flight-logs.server.ts';
import { formatIsoDate } from '#app/domain/format.server.ts';
import { parseFilterWithOrderedDays, givenFilters } from '#app/features/flights/flight-filter.server.ts';
import { authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { csvResponse } from '#app/server/api/download-response.server.ts';
import { csvOfDatabaseLines } from '#app/server/csv.server.ts';
import { db } from '#app/server/db.server.ts';
import { exportDb, withExportSlot } from '#app/server/api/exports.server.ts';

export const loader = apiResource({
  GET: authedCall({
    can: 'export flight logs',
    school: 'optional',
    run: async ({ actor, url, request }) => {
      const { timeZone, ...filter } = parseFilterWithOrderedDays(url, actor);
      const { aircraftId = 'all', ...more } = givenFilters(filter);
      const name = `flight-logs-${aircraftId}-${formatIsoDate(new Date(), actor.timeZone)}.csv`;
      return csvResponse(request, name, async () => {
        await recordExport(db, actor, 'exported flight logs', { aircraftId, ...more });
        const lines = exportFlightLogs(exportDb, actor, { ...filter, timeZone });
        return csvOfDatabaseLines(withExportSlot(actor.schoolId, lines));
      });
    },
  }),
});
export const action = loader;
