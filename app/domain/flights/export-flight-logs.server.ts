import type { Db } from '#db/connect.server.ts';
import { MAX_EXPORTS_OF_SCHOOL_HOURLY, MAX_EXPORTS_OF_USER_HOURLY } from '#app/limits.ts';
import type { Actor } from '../actor.ts';
import { assertWithinBudget } from '../audit/hourly-budget.server.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { streamFlightLogs } from './queries.server.ts';
import { EXPORT_COLUMNS, type FlightLog } from './schema.server.ts';

const EXPORTED = 'exported flight logs';
const BUDGET = { actions: [EXPORTED], ofUser: MAX_EXPORTS_OF_USER_HOURLY, ofSchool: MAX_EXPORTS_OF_SCHOOL_HOURLY };

/** Rows of cells, newest first, after the header; uses one connection of `db` until done. */
export async function* flightLogRows(
  db: Db,
  { schoolId, timeZone }: Actor,
  aircraftId: number | undefined,
): AsyncGenerator<string[], void> {
  yield EXPORT_COLUMNS.map(([name]) => name);
  for await (const log of streamFlightLogs(db, schoolId, { aircraftId })) yield exportCells(log, timeZone);
}

function exportCells(log: FlightLog, timeZone: string): string[] {
  return EXPORT_COLUMNS.map(([, cell]) => String(cell(log, timeZone) ?? ''));
}

/** Throws 'tooMany' past what a user or school may export in an hour. */
export async function recordExport(db: Db, reader: Actor, aircraftId: number | undefined): Promise<object> {
  const operation = {
    actor: reader,
    can: 'export flight logs',
    key: undefined,
    operation: 'export',
    input: null,
  } as const;
  return runOperation(db, operation, async (trx, actor) => {
    await assertWithinBudget(trx, actor, BUDGET);
    const after = { aircraftId: aircraftId ?? 'all' };
    await writeAuditEntry(trx, actor, { action: EXPORTED, subject: 'export', after });
    return {};
  });
}
