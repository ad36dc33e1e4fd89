import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { flightLogSchema, type RecordedColumns } from '../../flights/schema.server.ts';
import { fromHundredths, toHundredths } from '../../reading.ts';
import { METER_WORDS } from '../../readings/meters.ts';
import {
  AMOUNT,
  fact,
  type Fact,
  type Facts,
  type Kind,
  PERSON,
  READING,
  type Stored,
  TEXT,
  time,
  toText,
  YES,
} from './facts.server.ts';
import type { FlightRecord } from '../records.ts';
import type { PlannedFlight } from './plan.ts';

/** The quantity, whatever its column is called. */
const FUEL: Kind = { plain: (value) => toText(value).split(': ').at(-1) || null, none: 'none' };
const FLAGS: Kind = {
  plain: (value) =>
    (flightLogSchema.shape.readingFlags.safeParse(value).data ?? [])
      .map(({ meter, at, kind, last }) => `${METER_WORDS[meter]} ${at} ${kind} ${fromHundredths(toHundredths(last))}`)
      .join('; ') || null,
  none: 'none',
};

const changeOf =
  (meter: 'hobbs' | 'tachometer', part: 'oldLast' | 'newFirst' | 'reason') =>
  ({ record: { meterChanges } }: PlannedFlight) =>
    meterChanges ? (meterChanges[meter]?.[part] ?? null) : undefined;

const valueOf =
  (name: keyof FlightRecord) =>
  ({ record }: PlannedFlight) =>
    record[name];
/** Of a value that no file can say to be none. */
const filled =
  (name: keyof FlightRecord) =>
  ({ record }: PlannedFlight) =>
    record[name] || undefined;
const flight = fact<PlannedFlight>;

/** The columns that an import writes; one of what is recorded that is not named here does not compile. */
export const FLIGHT_COLUMNS = {
  user_id: flight(PERSON, 'pilot', 'the pilot', ({ pilotId }) => pilotId),
  // Who only came along is no instructor.
  instructor_id: flight(PERSON, 'instructor', 'the instructor', ({ record, instructorId }) =>
    record.instructor === null ? null : (instructorId ?? undefined),
  ),
  created_at: flight(time('open'), 'start', 'the start', valueOf('startedAt')),
  completed_at: flight(
    time('open'),
    'end',
    'the end',
    ({ record }) => (record.endedWithin === null ? undefined : record.completedAt),
    { known: valueOf('completedAt'), within: ({ record }) => record.endedWithin ?? 0 },
  ),
  departed_at: flight(time('at the start'), 'departed', 'the departure', valueOf('departedAt')),
  landed_at: flight(time('at the end'), 'landed', 'the landing', valueOf('landedAt')),
  start_hobbs: flight(READING, 'startHobbs', 'Hobbs at the start', valueOf('startHobbs')),
  end_hobbs: flight(READING, 'endHobbs', 'Hobbs at the end', valueOf('endHobbs')),
  start_tach: flight(READING, 'startTach', 'tach at the start', valueOf('startTach')),
  end_tach: flight(READING, 'endTach', 'tach at the end', valueOf('endTach')),
  hobbs_old_last: flight(READING, 'meterChanges', "the old Hobbs meter's last reading", changeOf('hobbs', 'oldLast')),
  hobbs_new_first: flight(
    READING,
    'meterChanges',
    "the new Hobbs meter's first reading",
    changeOf('hobbs', 'newFirst'),
  ),
  tach_old_last: flight(READING, 'meterChanges', "the old tach's last reading", changeOf('tachometer', 'oldLast')),
  tach_new_first: flight(READING, 'meterChanges', "the new tach's first reading", changeOf('tachometer', 'newFirst')),
  reading_flags: flight(FLAGS, 'readingFlags', 'what is flagged', filled('readingFlags'), { unsaid: [] }),
  instructor_time_in: flight(TEXT, 'instructorTimeIn', "the instructor's time in", filled('instructorTimeIn')),
  instructor_time_out: flight(TEXT, 'instructorTimeOut', "the instructor's time out", filled('instructorTimeOut')),
  ground_school_time: flight(AMOUNT, 'groundSchoolTime', 'ground school', valueOf('groundSchoolTime'), { unsaid: '0' }),
  notes: flight(TEXT, 'notes', 'the squawk or note', filled('notes'), { unsaid: '' }),
} satisfies Record<keyof RecordedColumns, Fact<PlannedFlight>> & Facts<PlannedFlight>;

/** What it writes beside them, of fuel and of meters that were changed. */
const BESIDE: Facts<PlannedFlight> = {
  refueled: flight(YES, 'refueled', 'refueled', valueOf('refueled'), { unsaid: false }),
  oil_quantity: flight(AMOUNT, 'oil', 'oil', valueOf('oilQuarts')),
  fuel: flight(FUEL, 'refueled', 'the fuel', filled('fuelNotes'), { unsaid: '' }),
  hobbs_change: flight(TEXT, 'meterChanges', 'the change of the Hobbs meter', changeOf('hobbs', 'reason')),
  tach_change: flight(TEXT, 'meterChanges', 'the change of the tach', changeOf('tachometer', 'reason')),
};

/** All that an import stores of a flight. */
export const FLIGHT_FACTS: Facts<PlannedFlight> = { ...FLIGHT_COLUMNS, ...BESIDE };

/** What is stored of flights, by their id. */
export async function findStoredFlights(db: Db | Trx, schoolId: number, ids: number[]) {
  const columns = sql.join(Object.keys(FLIGHT_COLUMNS).map((name) => sql.ref(`flight.${name}`)));
  const isOfFlight = sql`school_id = flight.school_id and flight_log_id = flight.id`;
  const { rows } = await sql<Stored & { id: number }>`
    select flight.id, ${columns}, supplies.*, changes.*
    from flight_logs as flight
      cross join lateral (
        select bool_or(refueled) as refueled, sum(oil_quantity) as oil_quantity, string_agg(nullif(notes, ''), ', ') as fuel
        from fuel_records where ${isOfFlight}
      ) as supplies
      cross join lateral (
        select max(reason) filter (where meter_type = 'hobbs') as hobbs_change,
          max(reason) filter (where meter_type = 'tachometer') as tach_change
        from meter_segments where ${isOfFlight}
      ) as changes
    where flight.school_id = ${schoolId} and flight.id = any(${ids}::integer[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}
