import { recordExport } from '#app/domain/audit/record-export.server.ts';
import {
  assertFitsSheet,
  flightSheetColumns,
  streamFlightSheetRows,
} from '#app/domain/flights/exported/export-flight-logs.server.ts';
import { formatIsoDate } from '#app/domain/format.server.ts';
import { givenFilters, parseFilterWithOrderedDays } from '#app/features/flights/flight-filter.server.ts';
import { authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { downloadResponse, XLSX_MEDIA_TYPE } from '#app/server/api/download-response.server.ts';
import { db } from '#app/server/db.server.ts';
import { exportDb, withExportSlot } from '#app/server/api/exports.server.ts';
import { workbook } from '#app/server/api/workbook.server.ts';

export const loader = apiResource({
  GET: authedCall({
    can: 'export flight logs',
    school: 'optional',
    run: async ({ actor, url, request }) => {
      const { timeZone, ...filter } = parseFilterWithOrderedDays(url, actor);
      const { aircraftId = 'all', ...more } = givenFilters(filter);
      const name = `flight-logs-${aircraftId}-${formatIsoDate(new Date(), actor.timeZone)}.xlsx`;
      return downloadResponse(request, { name, type: XLSX_MEDIA_TYPE }, async () => {
        await assertFitsSheet(db, actor, { ...filter, timeZone });
        await recordExport(db, actor, 'exported flight logs', { aircraftId, ...more, format: 'xlsx' });
        const rows = streamFlightSheetRows(exportDb, actor, { ...filter, timeZone });
        return workbook('Flight logs', flightSheetColumns(), withExportSlot(actor.schoolId, rows));
      });
    },
  }),
});
export const action = loader;
