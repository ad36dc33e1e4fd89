import { db } from '#app/server/db.server.ts';
import { authorize } from '#app/domain/actor.ts';
import { flightLogRows, recordExport } from '#app/domain/flights/export-flight-logs.server.ts';
import { isoDay } from '#app/domain/format.server.ts';
import { Refusal } from '#app/domain/app-error.ts';
import { exportDb } from '#app/server/export-db.server.ts';
import { aircraftFilterOf } from '#app/features/aircraft/aircraft-filter.server.ts';
import { file, resource, signedInCall } from '#app/server/api-resource.server.ts';
import { csvStream } from '#app/server/csv.server.ts';
import { log } from '#app/server/log.server.ts';

const route = resource({
  GET: signedInCall(async ({ actor, url, request }) => {
    authorize(actor, 'export flight logs');
    const aircraftId = aircraftFilterOf(url);
    const name = `flight-logs-${aircraftId ?? 'all'}-${isoDay(new Date(), actor.timeZone)}.csv`;
    if (request.method === 'HEAD') return file(null, name, 'text/csv; charset=utf-8');
    await recordExport(db, actor, aircraftId);
    const rows = flightLogRows(exportDb, actor, aircraftId);
    return file(await csvStream(rows, request.signal, note).catch(refuse), name, 'text/csv; charset=utf-8');
  }),
});

export const loader = route.loader;
export const action = route.action;

function note(error: unknown): void {
  log.error({ err: error }, 'Export failed');
}

function refuse(error: unknown): never {
  note(error);
  throw new Refusal('unavailable', 'Export failed');
}
