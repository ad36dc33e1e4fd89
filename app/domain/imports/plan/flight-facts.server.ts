import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { flightLogSchema, type RecordedColumns } from '../../flights/schema.server.ts';
import { fromHundredths, toHundredths } from '../../reading.ts';
import { METER_WORDS } from '../../readings/meters.ts';
import {
  AMOUNT_FACT_KIND,
  fact,
  type Fact,
  type Facts,
  type FactKind,
  PERSON_FACT_KIND,
  READING_FACT_KIND,
  type StoredValues,
  TEXT_FACT_KIND,
  timeFactKind,
  toTextOrEmpty,
  FLAG_FACT_KIND,
} from './facts.server.ts';
import type { FlightRecord } from '../records.ts';
import type { PlannedFlight } from './plan.ts';

const FUEL: FactKind = { plain: (value) => toTextOrEmpty(value).split(': ').at(-1) || null, none: 'none' };
const FLAGS: FactKind = {
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
const remarkOf =
  (meter: 'hobbs' | 'tachometer') =>
  ({ record: { meterChanges } }: PlannedFlight) =>
    meterChanges?.[meter]?.remark || undefined;

const other = fact<PlannedFlight>;
/** Of a value that the record has by the name of its field. */
const value = (kind: FactKind, name: keyof FlightRecord, label: string, unsaid: unknown = null) =>
  other(kind, name, label, ({ record }) => (record[name] === '' ? undefined : record[name]), { unsaid });

/** The columns that an import writes; one of what is recorded that is not named here does not compile. */
export const FLIGHT_COLUMN_FACTS = {
  user_id: other(PERSON_FACT_KIND, 'pilot', 'the pilot', ({ pilotId }) => pilotId),
  // Who only came along is no instructor.
  instructor_id: other(PERSON_FACT_KIND, 'instructor', 'the instructor', ({ record, instructorId }) =>
    record.instructor === null ? null : (instructorId ?? undefined),
  ),
  created_at: other(timeFactKind('open'), 'start', 'the start', ({ record }) => record.startedAt),
  completed_at: other(
    timeFactKind('open'),
    'end',
    'the end',
    ({ record }) => (record.endedWithin === null ? undefined : record.completedAt),
    { known: ({ record }) => record.completedAt, within: ({ record }) => record.endedWithin ?? 0 },
  ),
  departed_at: other(timeFactKind('at the start'), 'departed', 'the departure', ({ record }) => record.departedAt),
  landed_at: other(timeFactKind('at the end'), 'landed', 'the landing', ({ record }) => record.landedAt),
  start_hobbs: value(READING_FACT_KIND, 'startHobbs', 'Hobbs at the start'),
  end_hobbs: value(READING_FACT_KIND, 'endHobbs', 'Hobbs at the end'),
  start_tach: value(READING_FACT_KIND, 'startTach', 'tach at the start'),
  end_tach: value(READING_FACT_KIND, 'endTach', 'tach at the end'),
  hobbs_old_last: other(
    READING_FACT_KIND,
    'meterChanges',
    "the old Hobbs meter's last reading",
    changeOf('hobbs', 'oldLast'),
  ),
  hobbs_new_first: other(
    READING_FACT_KIND,
    'meterChanges',
    "the new Hobbs meter's first reading",
    changeOf('hobbs', 'newFirst'),
  ),
  tach_old_last: other(
    READING_FACT_KIND,
    'meterChanges',
    "the old tach's last reading",
    changeOf('tachometer', 'oldLast'),
  ),
  tach_new_first: other(
    READING_FACT_KIND,
    'meterChanges',
    "the new tach's first reading",
    changeOf('tachometer', 'newFirst'),
  ),
  reading_flags: value(FLAGS, 'readingFlags', 'what is flagged', []),
  instructor_time_in: value(TEXT_FACT_KIND, 'instructorTimeIn', "the instructor's time in"),
  instructor_time_out: value(TEXT_FACT_KIND, 'instructorTimeOut', "the instructor's time out"),
  ground_school_time: value(AMOUNT_FACT_KIND, 'groundSchoolTime', 'ground school', '0'),
  notes: value(TEXT_FACT_KIND, 'notes', 'the squawk or note', ''),
} satisfies Record<keyof RecordedColumns, Fact<PlannedFlight>> & Facts<PlannedFlight>;

/** What it writes beside them, of fuel and of meters that were changed. */
const BESIDE: Facts<PlannedFlight> = {
  refueled: value(FLAG_FACT_KIND, 'refueled', 'refueled', false),
  oil_quantity: other(AMOUNT_FACT_KIND, 'oil', 'oil', ({ record }) => record.oilQuarts),
  fuel: other(FUEL, 'refueled', 'the fuel', ({ record }) => record.fuelNotes || undefined, { unsaid: '' }),
  hobbs_change: other(TEXT_FACT_KIND, 'meterChanges', 'the change of the Hobbs meter', changeOf('hobbs', 'reason')),
  tach_change: other(TEXT_FACT_KIND, 'meterChanges', 'the change of the tach', changeOf('tachometer', 'reason')),
  hobbs_remark: other(TEXT_FACT_KIND, 'meterChanges', 'the remark on the Hobbs meter', remarkOf('hobbs')),
  tach_remark: other(TEXT_FACT_KIND, 'meterChanges', 'the remark on the tach', remarkOf('tachometer')),
};

export const FLIGHT_FACTS: Facts<PlannedFlight> = { ...FLIGHT_COLUMN_FACTS, ...BESIDE };

export async function findStoredFlights(db: Db | Trx, schoolId: number, ids: number[]) {
  const columns = sql.join(Object.keys(FLIGHT_COLUMN_FACTS).map((name) => sql.ref(`flight.${name}`)));
  const isOfFlight = sql`school_id = flight.school_id and flight_log_id = flight.id`;
  const { rows } = await sql<StoredValues & { id: number }>`
    select flight.id, ${columns}, supplies.*, changes.*
    from flight_logs as flight
      cross join lateral (
        select bool_or(refueled) as refueled, sum(oil_quantity) as oil_quantity, string_agg(nullif(notes, ''), ', ' order by id) as fuel
        from fuel_records where ${isOfFlight}
      ) as supplies
      cross join lateral (
        select max(reason) filter (where meter_type = 'hobbs') as hobbs_change,
          max(reason) filter (where meter_type = 'tachometer') as tach_change,
          max(remark) filter (where meter_type = 'hobbs') as hobbs_remark,
          max(remark) filter (where meter_type = 'tachometer') as tach_remark
        from meter_segments where ${isOfFlight}
      ) as changes
    where flight.school_id = ${schoolId} and flight.id = any(${ids}::integer[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}
