import { sql } from 'kysely';
import { z } from 'zod';
import type { Trx } from '#db/connect.server.ts';
import { hasFlight, isNotCancelled } from '../../flights/flight-order.server.ts';
import { toHundredths } from '../../reading.ts';
import type { PlannedFlight } from '../plan/plan.ts';
import { forEachInSlices } from '../slices.ts';
import { type WriteContext, writeImportRows } from './write-records.server.ts';

const text = z.string().nullable();

/** What imported flights change about their aircraft, to be put back when the import is undone; times as text, to the microsecond. */
export const metersSchema = z.object({
  ...{ last_hobbs: text, last_hobbs_at: text, last_hobbs_by: z.int().nullable() },
  ...{ last_tach: text, last_tach_at: text, last_tach_by: z.int().nullable() },
  ...{ first_hobbs: text, first_hobbs_at: z.string(), first_tach: text, first_tach_at: z.string() },
});

type AircraftMeters = z.infer<typeof metersSchema>;

/** Gives the aircraft of imported flights their last readings, and their meters the first ones. */
export async function updateAircraft(context: WriteContext, flights: PlannedFlight[]): Promise<void> {
  const { trx, schoolId } = context;
  const spans = await findSpans(flights);
  const metersOf = await findMeters(trx, schoolId, [...spans.keys()]);
  const withOlder = await findWithOlderFlights(trx, schoolId, spans);
  const former = await findFormerEnds(trx, schoolId, [...spans.keys()]);
  const rows = [...spans].map(([id, { earliest, latest }]) => {
    const before = metersOf.get(id);
    if (!before) throw new Error(`aircraft ${id} has no first meters`);
    const first = withOlder.has(id) ? {} : firstReadings(before, earliest);
    return { row: null, id, before, after: { ...before, ...lastReadings(before, latest, former.get(id)), ...first } };
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
    from jsonb_to_recordset(${rows}::jsonb) as new (id integer, last_hobbs numeric, last_hobbs_at timestamptz,
      last_hobbs_by integer, last_tach numeric, last_tach_at timestamptz, last_tach_by integer)
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

/** Those of the aircraft that have a flight before the first of these. */
async function findWithOlderFlights(trx: Trx, schoolId: number, spans: Map<number, Span>) {
  const ids = [...spans.keys()];
  const starts = [...spans.values()].map(({ earliest }) => earliest.record.startedAt.toISOString());
  const { rows } = await sql<{ id: number }>`
    select first.id from unnest(${ids}::integer[], ${starts}::timestamptz[]) as first (id, at)
    where ${hasFlight({
      schoolId: sql`${schoolId}`,
      column: 'aircraft_id',
      id: sql.ref('first.id'),
      where: sql`${isNotCancelled} and flight.created_at < first.at`,
    })}`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}

interface FormerEnd {
  startedAt: Date;
  hobbs: string;
  tach: string;
}

async function findFormerEnds(trx: Trx, schoolId: number, ids: number[]): Promise<Map<number, FormerEnd>> {
  const { rows } = await sql<FormerEnd & { id: number }>`
    select plane.id, newest.* from unnest(${ids}::integer[]) as plane (id) cross join lateral (
      select created_at as "startedAt", end_hobbs as hobbs, end_tach as tach from flight_logs
      where school_id = ${schoolId} and aircraft_id = plane.id and completed_at is not null
        and change_id <> (select current_change(${schoolId}))
      order by created_at desc, id desc limit 1
    ) as newest`.execute(trx);
  return new Map(rows.map((row) => [row.id, row]));
}

/** A reading that was taken after the last flight stays, or of unknown time and higher; an earlier flight's end is none. */
function lastReadings(before: AircraftMeters, { record, pilotId }: PlannedFlight, former?: FormerEnd) {
  const { startedAt, completedAt, endHobbs, endTach } = record;
  const earlier = former && former.startedAt < startedAt ? former : undefined;
  const isNewer = (last: string | null, at: string | null, end: string, earlierEnd: string | undefined) =>
    last === null ||
    (earlierEnd !== undefined && toHundredths(last) === toHundredths(earlierEnd)) ||
    (at === null || completedAt.getTime() === Date.parse(at)
      ? toHundredths(end) >= toHundredths(last)
      : completedAt > new Date(at));
  return {
    ...(isNewer(before.last_hobbs, before.last_hobbs_at, endHobbs, earlier?.hobbs) && {
      last_hobbs: endHobbs,
      last_hobbs_at: completedAt.toISOString(),
      last_hobbs_by: pilotId,
    }),
    ...(isNewer(before.last_tach, before.last_tach_at, endTach, earlier?.tach) && {
      last_tach: endTach,
      last_tach_at: completedAt.toISOString(),
      last_tach_by: pilotId,
    }),
  };
}

function firstReadings(before: AircraftMeters, { record: { startedAt, startHobbs, startTach } }: PlannedFlight) {
  const notAfter = (at: string) => (new Date(at) < startedAt ? at : startedAt.toISOString());
  return {
    first_hobbs: startHobbs,
    first_hobbs_at: notAfter(before.first_hobbs_at),
    first_tach: startTach,
    first_tach_at: notAfter(before.first_tach_at),
  };
}
