import { sql } from 'kysely';
import { z } from 'zod';
import type { Trx } from '#db/connect.server.ts';
import { toHundredths } from '../../reading.ts';
import type { PlannedFlight } from '../plan/plan.ts';
import { forEachInSlices } from '../slices.ts';
import { type WriteContext, writeImportRows } from './write-records.server.ts';

const text = z.string().nullable();

const METERS = [
  {
    start: 'startHobbs',
    end: 'endHobbs',
    first: ['first_hobbs', 'first_hobbs_at'],
    last: ['last_hobbs', 'last_hobbs_at', 'last_hobbs_by'],
  },
  {
    start: 'startTach',
    end: 'endTach',
    first: ['first_tach', 'first_tach_at'],
    last: ['last_tach', 'last_tach_at', 'last_tach_by'],
  },
] as const;

/** What goes together: a reading that was taken since stays as it is when the import is undone. */
export const METER_COLUMN_GROUPS = METERS.flatMap(({ first, last }) => [first, last]);

/** What imported flights change about their aircraft, to be put back when the import is undone; times as text, to the microsecond. */
export const aircraftMetersSchema = z.object({
  ...{ last_hobbs: text, last_hobbs_at: text, last_hobbs_by: z.int().nullable() },
  ...{ last_tach: text, last_tach_at: text, last_tach_by: z.int().nullable() },
  ...{ first_hobbs: text, first_hobbs_at: z.string(), first_tach: text, first_tach_at: z.string() },
});

type AircraftMeters = z.infer<typeof aircraftMetersSchema>;

/** Gives the aircraft of imported flights their last readings, and their meters the first ones. */
export async function updateAircraftOfFlights(context: WriteContext, flights: PlannedFlight[]): Promise<void> {
  const { trx, schoolId } = context;
  const spans = await findSpans(flights);
  const metersOf = await findMeters(trx, schoolId, [...spans.keys()]);
  const others = await findOtherFlights(trx, schoolId, [...spans.keys()]);
  const rows = [...spans].map(([id, { earliest, latest }]) => {
    const before = metersOf.get(id);
    if (!before) throw new Error(`aircraft ${id} has no first meters`);
    const { oldestAt = null, newest } = others.get(id) ?? {};
    const first = oldestAt !== null && oldestAt < earliest.record.startedAt ? {} : firstReadings(before, earliest);
    return { row: null, id, before, after: { ...before, ...lastReadings(before, latest, newest), ...first } };
  });
  await writeMeters(trx, schoolId, new Map(rows.map(({ id, after }) => [id, after])));
  await writeImportRows(context, 'aircraft', rows);
}

/** Of an aircraft's flights the one that starts first, and the one that ends last. */
interface Span {
  earliest: PlannedFlight;
  latest: PlannedFlight;
}

async function findSpans(flights: PlannedFlight[]): Promise<Map<number, Span>> {
  const spans = new Map<number, Span>();
  await forEachInSlices(flights, (flight) => {
    const span = spans.get(flight.aircraftId);
    if (!span) spans.set(flight.aircraftId, { earliest: flight, latest: flight });
    else if (startOf(flight) < startOf(span.earliest)) span.earliest = flight;
    if (span && isLater(flight, span.latest)) span.latest = flight;
  });
  return spans;
}

/** Of flights whose times are made up, several may end at once. */
function isLater(flight: PlannedFlight, other: PlannedFlight): boolean {
  const later = endOf(flight) - endOf(other);
  return later > 0 || (later === 0 && toHundredths(flight.record.endHobbs) > toHundredths(other.record.endHobbs));
}

const startOf = ({ record }: PlannedFlight) => record.startedAt.getTime();
const endOf = ({ record }: PlannedFlight) => record.completedAt.getTime();

export async function findMeters(trx: Trx, schoolId: number, ids: number[]): Promise<Map<number, AircraftMeters>> {
  const { rows } = await sql<AircraftMeters & { id: number }>`
    select aircraft.id, last_hobbs, ${isoOf('last_hobbs_at')} as last_hobbs_at, last_hobbs_by,
      last_tach, ${isoOf('last_tach_at')} as last_tach_at, last_tach_by,
      hobbs.first_reading as first_hobbs, ${isoOf('hobbs.started_at')} as first_hobbs_at,
      tach.first_reading as first_tach, ${isoOf('tach.started_at')} as first_tach_at
    from aircraft
      join meter_segments as hobbs on hobbs.school_id = aircraft.school_id and hobbs.aircraft_id = aircraft.id
        and hobbs.meter_type = 'hobbs' and hobbs.reason = 'new aircraft'
      join meter_segments as tach on tach.school_id = aircraft.school_id and tach.aircraft_id = aircraft.id
        and tach.meter_type = 'tachometer' and tach.reason = 'new aircraft'
    where aircraft.school_id = ${schoolId} and aircraft.id = any(${ids}::integer[])`.execute(trx);
  return new Map(rows.map(({ id, ...meters }) => [id, meters]));
}

export async function writeMeters(trx: Trx, schoolId: number, meters: Map<number, AircraftMeters>): Promise<void> {
  const rows = JSON.stringify([...meters].map(([id, values]) => ({ id, ...values })));
  await sql`update aircraft set last_hobbs = new.last_hobbs, last_hobbs_at = new.last_hobbs_at,
      last_hobbs_by = new.last_hobbs_by, last_tach = new.last_tach, last_tach_at = new.last_tach_at,
      last_tach_by = new.last_tach_by
    from jsonb_populate_recordset(null::aircraft, ${rows}::jsonb) as new
    where aircraft.school_id = ${schoolId} and aircraft.id = new.id`.execute(trx);
  await sql`update meter_segments set
      first_reading = case meter_type when 'hobbs' then first_hobbs else first_tach end,
      started_at = case meter_type when 'hobbs' then first_hobbs_at else first_tach_at end
    from jsonb_to_recordset(${rows}::jsonb) as new (id integer, first_hobbs numeric, first_hobbs_at timestamptz,
      first_tach numeric, first_tach_at timestamptz)
    where school_id = ${schoolId} and aircraft_id = new.id and reason = 'new aircraft'`.execute(trx);
}

/** To the microsecond, which a Date does not have. */
const isoOf = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

interface OtherFlights {
  id: number;
  /** When the first flight began, also of this import. */
  oldestAt: Date | null;
  newest: { startedAt: string; endHobbs: string; endTach: string } | null;
}

async function findOtherFlights(trx: Trx, schoolId: number, ids: number[]): Promise<Map<number, OtherFlights>> {
  const { rows } = await sql<OtherFlights>`
    select plane.id, (
      select min(created_at) from flight_logs
      where school_id = ${schoolId} and aircraft_id = plane.id and voided_at is null
    ) as "oldestAt", (
      select jsonb_build_object('startedAt', created_at, 'endHobbs', end_hobbs::text, 'endTach', end_tach::text)
      from flight_logs
      where school_id = ${schoolId} and aircraft_id = plane.id and completed_at is not null
        and change_id <> (select current_change(${schoolId}))
      order by created_at desc, id desc limit 1
    ) as newest
    from unnest(${ids}::integer[]) as plane (id)`.execute(trx);
  return new Map(rows.map((row) => [row.id, row]));
}

/** A reading that was taken after the last flight stays, or of unknown time and higher; an earlier flight's end is none. */
function lastReadings(before: AircraftMeters, { record, pilotId }: PlannedFlight, newest?: OtherFlights['newest']) {
  const { startedAt, completedAt } = record;
  const earlier = newest && new Date(newest.startedAt) < startedAt ? newest : undefined;
  return Object.fromEntries(
    METERS.flatMap(({ end, last: [last, lastAt, lastBy] }) => {
      const [reading, at] = [before[last], before[lastAt]];
      const isNewer =
        reading === null ||
        (earlier && toHundredths(reading) === toHundredths(earlier[end])) ||
        (at === null || completedAt.getTime() === Date.parse(at)
          ? toHundredths(record[end]) >= toHundredths(reading)
          : completedAt > new Date(at));
      if (!isNewer) return [];
      return [
        [last, record[end]],
        [lastAt, completedAt.toISOString()],
        [lastBy, pilotId],
      ];
    }),
  );
}

function firstReadings(before: AircraftMeters, { record }: PlannedFlight) {
  const { startedAt } = record;
  return Object.fromEntries(
    METERS.flatMap(({ start, first: [first, firstAt] }) => [
      [first, record[start]],
      [firstAt, new Date(before[firstAt]) < startedAt ? before[firstAt] : startedAt.toISOString()],
    ]),
  );
}
