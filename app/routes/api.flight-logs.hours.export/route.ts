import { recordExport } from '#app/domain/audit/record-export.server.ts';
import { parseHoursQueryWithOrderedDays } from '#app/features/flights/hours/hours-query.server.ts';
import { hoursRows } from '#app/features/flights/hours/hours-rows.server.ts';
import { givenFilters } from '#app/features/flights/flight-filter.server.ts';
import { authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { csvResponse } from '#app/server/api/download-response.server.ts';
import { csvOfRows } from '#app/server/csv.server.ts';
import { db } from '#app/server/db.server.ts';
import { exportDb, withExportSlot } from '#app/server/api/exports.server.ts';

export const loader = apiResource({
  GET: authedCall({
    can: 'anyRole',
    school: 'optional',
    run: async ({ actor, url, request }) => {
      const { by, filter } = parseHoursQueryWithOrderedDays(url, actor, new Date());
      const name = `hours-by-${by}-${filter.from ?? 'start'}-${filter.to ?? 'today'}.csv`;
      return csvResponse(request, name, async () => {
        const { timeZone, ...values } = filter;
        await recordExport(db, actor, 'exported hours', { by, ...givenFilters(values) });
        const rows = hoursRows(exportDb, actor, { by, filter: { ...values, timeZone } });
        return csvOfRows(withExportSlot(actor.schoolId, rows));
      });
    },
  }),
});
export const action = loader;
