import { recordExport } from '#app/domain/audit/record-export.server.ts';
import { parseHoursQueryWithOrderedDays } from '#app/features/flights/hours/hours-query.server.ts';
import { hoursColumns, hoursSheetRows } from '#app/features/flights/hours/hours-rows.server.ts';
import { givenFilters } from '#app/features/flights/flight-filter.server.ts';
import { authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { downloadResponse, XLSX_MEDIA_TYPE } from '#app/server/api/download-response.server.ts';
import { db } from '#app/server/db.server.ts';
import { exportDb, withExportSlot } from '#app/server/api/exports.server.ts';
import { sheetRowsOf, workbook } from '#app/server/api/workbook.server.ts';

export const loader = apiResource({
  GET: authedCall({
    can: 'anyRole',
    school: 'optional',
    run: async ({ actor, url, request }) => {
      const { by, filter } = parseHoursQueryWithOrderedDays(url, actor, new Date());
      const name = `hours-by-${by}-${filter.from ?? 'start'}-${filter.to ?? 'today'}.xlsx`;
      return downloadResponse(request, { name, type: XLSX_MEDIA_TYPE }, async () => {
        const { timeZone, ...values } = filter;
        await recordExport(db, actor, 'exported hours', { by, ...givenFilters(values), format: 'xlsx' });
        const columns = hoursColumns(by);
        const rows = hoursSheetRows(exportDb, actor, { by, filter: { ...values, timeZone } });
        return workbook('Hours', columns, sheetRowsOf(columns, withExportSlot(actor.schoolId, rows)));
      });
    },
  }),
});
export const action = loader;
