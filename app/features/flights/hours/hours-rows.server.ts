import type { Db } from '#db/connect.server.ts';
import type { Actor } from '#app/domain/actor.ts';
import type { FlightFilter } from '#app/domain/flights/logbook/flight-filter.server.ts';
import { findHours, type FlightSums, type HoursBy, type HoursRow } from '#app/domain/flights/logbook/hours.server.ts';
import type { SheetColumn } from '#app/domain/sheets/cell-kinds.ts';

const HOURS_COLUMNS = ['Hobbs hours', 'tach hours', 'instructor hours', 'ground hours'];
const COLUMNS = ['flights', 'in progress', ...HOURS_COLUMNS];

export async function* hoursRows(
  db: Db,
  reader: Actor,
  { by, filter }: { by: HoursBy; filter: FlightFilter },
): AsyncGenerator<string[], void> {
  yield [by, ...COLUMNS, `${by} id`];
  const { rows, sum } = await findHours(db, reader, { by, filter });
  yield* rows.map(rowOf);
  yield ['Sum', ...cellsOf(sum), ''];
}

export function hoursColumns(by: HoursBy): SheetColumn[] {
  const counts = [{ name: 'flights' }, { name: 'in progress' }].map(({ name }) => ({ name, kind: 'id' as const }));
  const hours = HOURS_COLUMNS.map((name) => ({ name, kind: 'number' as const }));
  return [{ name: by, kind: 'text' }, ...counts, ...hours, { name: `${by} id`, kind: 'id' }];
}

/** Writes the rows of a sheet without the sum, which SUM over a column would count again. */
export async function* hoursSheetRows(
  db: Db,
  reader: Actor,
  { by, filter }: { by: HoursBy; filter: FlightFilter },
): AsyncGenerator<string[], void> {
  const { rows } = await findHours(db, reader, { by, filter });
  yield* rows.map(rowOf);
}

/** The id tells apart those of one name, as in the file of the flights. */
function rowOf({ id, name, ...sums }: HoursRow): string[] {
  return [name ?? '', ...cellsOf(sums), String(id ?? '')];
}

function cellsOf({ flights, inProgress, hobbs, tach, instructor, ground }: FlightSums): string[] {
  return [String(flights), String(inProgress), hobbs, tach, instructor, ground];
}
