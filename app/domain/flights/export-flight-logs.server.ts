import type { Db } from '#db/connect.server.ts';
import { inTransaction } from '#db/transaction.ts';
import type { Actor } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { streamFlightLogs } from './queries.server.ts';
import { EXPORT_COLUMNS, type FlightLog } from './schema.server.ts';

/**
 * The school's flights as rows of cells, the first with the columns' names, newest flight first (C44). Holds a
 * connection of `db` from the second row until the last one is read or the reader returns. Nobody's school: no flights.
 */
export async function* flightLogRows(
  db: Db,
  { schoolId, timeZone }: Actor,
  aircraftId: number | undefined,
): AsyncGenerator<string[], void> {
  yield EXPORT_COLUMNS.map(([name]) => name);
  for await (const log of streamFlightLogs(db, schoolId, { aircraftId })) yield exportCells(log, timeZone);
}

/** One flight's cells in the order of the columns; an empty one where there is no value. */
function exportCells(log: FlightLog, timeZone: string): string[] {
  return EXPORT_COLUMNS.map(([, cell]) => String(cell(log, timeZone) ?? ''));
}

/** Notes who took the list out of the house, and which part of it (C76). */
export async function recordExport(db: Db, actor: Actor, aircraftId: number | undefined): Promise<void> {
  await inTransaction(db, (trx) =>
    writeAuditEntry(trx, actor, {
      action: 'exported flight logs',
      subject: 'export',
      after: { aircraftId: aircraftId ?? 'all' },
    }),
  );
}
