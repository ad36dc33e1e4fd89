import { AppError } from '#app/domain/app-error.ts';
import { flightLogRows, recordExport } from '#app/domain/flights/export-flight-logs.server.ts';
import { formatIsoDate } from '#app/domain/format.server.ts';
import { parseAircraftFilter } from '#app/features/aircraft/aircraft-filter.server.ts';
import { authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { fileResponse } from '#app/server/api/api-responses.server.ts';
import { createCsvStream } from '#app/server/csv.server.ts';
import { db } from '#app/server/db.server.ts';
import { exportDb } from '#app/server/export-db.server.ts';
import { withExportPlace } from '#app/server/export-places.server.ts';
import { log } from '#app/server/log.server.ts';

const CSV = 'text/csv; charset=utf-8';

const route = apiResource({
  GET: authedCall({
    can: 'export flight logs',
    school: 'optional',
    run: async ({ actor, url, request }) => {
      const aircraftId = parseAircraftFilter(url);
      const name = `flight-logs-${aircraftId ?? 'all'}-${formatIsoDate(new Date(), actor.timeZone)}.csv`;
      if (request.method === 'HEAD') return fileResponse(null, name, CSV);
      await recordExport(db, actor, aircraftId);
      const rows = withExportPlace(actor.schoolId, flightLogRows(exportDb, actor, aircraftId));
      return fileResponse(await createCsvStream(rows, request.signal, logFailure).catch(toUnavailable), name, CSV);
    },
  }),
});

function logFailure(error: unknown): void {
  log.error({ err: error }, 'Export failed');
}

function toUnavailable(error: unknown): never {
  if (error instanceof AppError) throw error;
  logFailure(error);
  throw new AppError('unavailable', 'Export failed');
}

export const loader = route.loader;
export const action = route.action;
