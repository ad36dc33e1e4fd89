import type { Db } from '#db/connect.server.ts';
import type { Actor } from '#app/domain/actor.ts';
import type { FlightFilter } from '#app/domain/flights/logbook/flight-filter.server.ts';
import type { FlightSums } from '#app/domain/flights/logbook/flight-sums.server.ts';
import { findHours, type HoursBy } from '#app/domain/flights/logbook/hours.server.ts';

const COLUMNS = ['flights', 'in progress', 'Hobbs hours', 'tach hours', 'instructor hours', 'ground hours'];

/** Rows of cells: the header, one for each, and the sum. */
export async function* hoursRows(
  db: Db,
  reader: Actor,
  { by, filter }: { by: HoursBy; filter: FlightFilter },
): AsyncGenerator<string[], void> {
  const { rows, sum } = await findHours(db, reader, { by, filter });
  yield [by, ...COLUMNS];
  for (const { name, ...row } of rows) yield [name ?? '', ...cellsOf(row)];
  yield ['Sum', ...cellsOf(sum)];
}

function cellsOf({ flights, inProgress, hobbs, tach, instructor, ground }: FlightSums): string[] {
  return [String(flights), String(inProgress), hobbs, tach, instructor, ground];
}
