import type { Db } from '#db/connect.server.ts';
import type { Actor } from '../actor.ts';
import type { FlightFilter } from './logbook/flight-filter.server.ts';
import { streamFlightLogs } from './queries.server.ts';
import { EXPORT_COLUMNS, type FlightLog } from './schema.server.ts';

/** Rows of cells, newest first, after the header; uses one connection of `db` until done. */
export async function* flightLogRows(
  db: Db,
  { schoolId, timeZone }: Actor,
  filter: FlightFilter,
): AsyncGenerator<string[], void> {
  yield EXPORT_COLUMNS.map(([name]) => name);
  for await (const log of streamFlightLogs(db, schoolId, filter)) yield exportCells(log, timeZone);
}

function exportCells(log: FlightLog, timeZone: string): string[] {
  return EXPORT_COLUMNS.map(([, cell]) => String(cell(log, timeZone) ?? ''));
}
