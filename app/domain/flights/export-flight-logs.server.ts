import type { Db } from '#db/connect.server.ts';
import type { Actor } from '../actor.ts';
import { findTailNumbersWithYears } from '../aircraft/namesakes.server.ts';
import type { FlightFilter } from './logbook/flight-filter.server.ts';
import { streamFlightLogs } from './queries.server.ts';
import { EXPORT_COLUMNS, type FlightLog } from './schema.server.ts';

/** They follow the specified columns, and tell those apart who share a username or a tail number. */
const IDENTITY_COLUMNS = ['pilot id', 'instructor id', 'aircraft id', 'tail number with years'];

/** Rows of cells, newest first, after the header; uses one connection of `db` until done. */
export async function* flightLogRows(db: Db, actor: Actor, filter: FlightFilter): AsyncGenerator<string[], void> {
  const { schoolId, timeZone } = actor;
  const years = await findTailNumbersWithYears(db, actor);
  yield [...EXPORT_COLUMNS.map(([name]) => name), ...IDENTITY_COLUMNS];
  for await (const log of streamFlightLogs(db, schoolId, filter))
    yield [...exportCells(log, timeZone), ...identityCells(log, years)];
}

function exportCells(log: FlightLog, timeZone: string): string[] {
  return EXPORT_COLUMNS.map(([, cell]) => String(cell(log, timeZone) ?? ''));
}

function identityCells({ user, instructor, aircraft }: FlightLog, years: ReadonlyMap<number, string>): string[] {
  const tailNumber = years.get(aircraft.id) ?? aircraft.tailNumber;
  return [String(user.id), String(instructor?.id ?? ''), String(aircraft.id), tailNumber];
}
