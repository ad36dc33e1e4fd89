import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { toHundredths } from '../../reading.ts';
import { findFleetByTail } from '../plan/find-named.server.ts';
import { METERS } from '../reading/fields.ts';
import { forEachRecord, metersWithoutStart } from '../reading/find-records.ts';
import type { FileReading } from '../reading/read-file.server.ts';
import { forEachInSlices } from '../slices.ts';
import { parseMeterReading, formatReadingOfHundredths } from './decimals.ts';
import { parseOrRefuse } from './value-problem.ts';

export type StartReadings = ReadonlyMap<string, string>;

export const startReadingKey = (row: number, field: string) => `${row} ${field}`;

/** Where it was said, a flight starts at the highest reading below its end with which one of its aircraft ended, if any. */
export async function findStartReadings(
  db: Db | Trx,
  schoolId: number,
  { kind, part, places, values, formats }: FileReading,
): Promise<StartReadings> {
  const starts = new Map<string, string>();
  if (kind !== 'flights' || values.starts !== 'before') return starts;
  const findAircraft = await findFleetByTail(db, schoolId);
  const ends = await findEnds(db, schoolId);
  const lacking: { row: number; start: string; meter: string; end: number }[] = [];
  await forEachRecord(part, places, (cellOf, row) => {
    const id = findAircraft(cellOf('aircraft') || (values.aircraft ?? ''))?.id;
    if (id === undefined) return;
    const open = metersWithoutStart(cellOf);
    for (const meter of METERS) {
      // The row is refused for it as it is read.
      const reading = parseOrRefuse(() => parseMeterReading(cellOf(meter.end), formats, formats.units[meter.end]));
      if (reading === undefined) continue;
      const end = toHundredths(reading);
      const known = ends.get(`${id} ${meter.end}`) ?? [];
      ends.set(`${id} ${meter.end}`, known);
      known.push(end);
      if (open.includes(meter)) lacking.push({ row, start: meter.start, meter: `${id} ${meter.end}`, end });
    }
  });
  for (const known of ends.values()) known.sort((a, b) => a - b);
  await forEachInSlices(lacking, ({ row, start, meter, end }) => {
    const before = lastBelow(ends.get(meter) ?? [], end);
    if (before !== undefined) starts.set(startReadingKey(row, start), formatReadingOfHundredths(before));
  });
  return starts;
}

/** Returns the highest of the sorted numbers that is lower. */
function lastBelow(sorted: number[], limit: number): number | undefined {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? limit) < limit) from = middle + 1;
    else to = middle;
  }
  return sorted[from - 1];
}

/** With what flights ended, and the last readings of aircraft, in hundredths by aircraft and field. */
async function findEnds(db: Db | Trx, schoolId: number): Promise<Map<string, number[]>> {
  const { rows } = await sql<{ meter: string; ends: number[] }>`
    select aircraft_id || ' ' || field as meter, array_agg(distinct (reading * 100)::integer) as ends
    from (
      select aircraft_id, 'endHobbs' as field, end_hobbs as reading from flight_logs
        where school_id = ${schoolId} and voided_at is null
      union all select aircraft_id, 'endTach', end_tach from flight_logs where school_id = ${schoolId} and voided_at is null
      union all select id, 'endHobbs', last_hobbs from aircraft where school_id = ${schoolId}
      union all select id, 'endTach', last_tach from aircraft where school_id = ${schoolId}
    ) as readings
    where reading is not null group by 1`.execute(db);
  return new Map(rows.map(({ meter, ends }) => [meter, ends]));
}
