import { db } from '#app/server/db.server.ts';
import { assertCan } from '#app/domain/actor.ts';
import { flightLogRows, recordExport } from '#app/domain/flights/export-flight-logs.server.ts';
import { formatIsoDate } from '#app/domain/format.server.ts';
import { AppError } from '#app/domain/app-error.ts';
import { exportDb } from '#app/server/export-db.server.ts';
import { parseAircraftFilter } from '#app/features/aircraft/aircraft-filter.server.ts';
import { fileResponse, apiResource, requireUser } from '#app/server/api-resource.server.ts';
import { csvStream } from '#app/server/csv.server.ts';
import { log } from '#app/server/log.server.ts';

const route = apiResource({
  GET: requireUser(async ({ actor, url, request }) => {
    assertCan(actor, 'export flight logs');
    const aircraftId = parseAircraftFilter(url);
    const name = `flight-logs-${aircraftId ?? 'all'}-${formatIsoDate(new Date(), actor.timeZone)}.csv`;
    if (request.method === 'HEAD') return fileResponse(null, name, 'text/csv; charset=utf-8');
    await recordExport(db, actor, aircraftId);
    const rows = flightLogRows(exportDb, actor, aircraftId);
    return fileResponse(
      await csvStream(rows, request.signal, logFailure).catch(toUnavailable),
      name,
      'text/csv; charset=utf-8',
    );
  }),
});

export const loader = route.loader;
export const action = route.action;

function logFailure(error: unknown): void {
  log.error({ err: error }, 'Export failed');
}

function toUnavailable(error: unknown): never {
  logFailure(error);
  throw new AppError('unavailable', 'Export failed');
}
