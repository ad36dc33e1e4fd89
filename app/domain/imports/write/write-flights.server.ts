import { analyze } from '#db/analyze.ts';
import { IMPORT_ANALYZED_ROWS, IMPORT_BATCH_ROWS } from '#app/limits.ts';
import type { RecordedColumns } from '../../flights/schema.server.ts';
import { assertPlanIsCurrent } from '../plan/assert-plan-is-current.server.ts';
import type { Plan, PlannedFlight } from '../plan/plan.ts';
import { writeImportRows } from './import-rows.server.ts';
import { insertInBatches, mapLazily, takeIds } from './insert-rows.server.ts';
import { updateAircraft } from './update-aircraft.server.ts';
import type { WriteContext } from './write-context.ts';

/**
 * Without a lock that a check-out would wait for, until all rows are there. No mail, alert or webhook comes of flights
 * that are long over.
 */
export async function writeFlights(context: WriteContext, plan: Plan<'flights'>): Promise<void> {
  const written: Written[] = [];
  for (let at = 0; at < plan.added.length; at += IMPORT_BATCH_ROWS)
    written.push(...(await writeBatch(context, plan.added.slice(at, at + IMPORT_BATCH_ROWS))));
  const isLarge = written.length >= IMPORT_ANALYZED_ROWS;
  if (isLarge) await analyze(context.trx, ['flight_logs']);
  await writeFuelRecords(context, written);
  await writeMeterChanges(context, written);
  const imported = mapLazily(written, ({ flight: { record }, id }) => ({
    row: record.row,
    sourceId: record.sourceId,
    id,
    ...(record.untimed && { after: { day: record.untimed.day } }),
  }));
  await writeImportRows(context, 'flight_log_id', imported);
  if (isLarge) await analyze(context.trx, ['fuel_records', 'import_rows']);
  await assertPlanIsCurrent(context, plan);
  await updateAircraft(context, plan.added);
}

interface Written {
  flight: PlannedFlight;
  id: number;
}

async function writeBatch({ trx, schoolId, onProgress }: WriteContext, added: PlannedFlight[]): Promise<Written[]> {
  const ids = await takeIds(trx, 'flight_logs', added.length);
  const flights = added.map((flight, at) => ({ flight, id: ids[at] ?? 0 }));
  const rows = flights.map(({ flight, id }) => ({ id, school_id: schoolId, ...toColumns(flight) }));
  await insertInBatches(trx, 'flight_logs', FLIGHT_TYPES, rows, onProgress);
  return flights;
}

async function writeFuelRecords({ trx, schoolId }: WriteContext, written: Written[]): Promise<void> {
  const fuelled = written.filter(({ flight: { record } }) => record.refueled || record.oilQuarts !== null);
  const records = mapLazily(fuelled, ({ flight: { record }, id }) => ({
    school_id: schoolId,
    flight_log_id: id,
    refueled: record.refueled,
    oil_added: record.oilQuarts !== null,
    oil_quantity: record.oilQuarts,
    notes: record.fuelNotes,
  }));
  await insertInBatches(trx, 'fuel_records', FUEL_TYPES, records);
}

async function writeMeterChanges({ trx, schoolId }: WriteContext, written: Written[]): Promise<void> {
  const segments = written.flatMap(({ flight, id }) =>
    Object.entries(flight.record.meterChanges ?? {}).map(([meter, { reason, oldLast, newFirst }]) => ({
      school_id: schoolId,
      aircraft_id: flight.aircraftId,
      flight_log_id: id,
      meter_type: meter,
      reason,
      old_last: oldLast,
      first_reading: newFirst,
      started_at: flight.record.completedAt,
      declared_by: flight.pilotId,
    })),
  );
  await insertInBatches(trx, 'meter_segments', SEGMENT_TYPES, segments);
}

type FlightColumns = Record<keyof RecordedColumns, unknown> & Record<string, unknown>;

function toColumns({ record, aircraftId, pilotId, instructorId }: PlannedFlight): FlightColumns {
  return {
    aircraft_id: aircraftId,
    user_id: pilotId,
    instructor_id: instructorId,
    start_hobbs: record.startHobbs,
    start_tach: record.startTach,
    end_hobbs: record.endHobbs,
    end_tach: record.endTach,
    hobbs_old_last: record.meterChanges?.hobbs?.oldLast ?? null,
    hobbs_new_first: record.meterChanges?.hobbs?.newFirst ?? null,
    tach_old_last: record.meterChanges?.tachometer?.oldLast ?? null,
    tach_new_first: record.meterChanges?.tachometer?.newFirst ?? null,
    reading_flags: record.readingFlags ?? [],
    instructor_time_in: record.instructorTimeIn,
    instructor_time_out: record.instructorTimeOut,
    ground_school_time: record.groundSchoolTime,
    notes: record.notes,
    created_at: record.startedAt,
    completed_at: record.completedAt,
    departed_at: record.departedAt,
    landed_at: record.landedAt,
    completed_by: pilotId,
  };
}

const FLIGHT_TYPES: Record<keyof RecordedColumns, string> & Record<string, string> = {
  id: 'integer',
  school_id: 'integer',
  aircraft_id: 'integer',
  user_id: 'integer',
  instructor_id: 'integer',
  start_hobbs: 'numeric',
  start_tach: 'numeric',
  end_hobbs: 'numeric',
  end_tach: 'numeric',
  hobbs_old_last: 'numeric',
  hobbs_new_first: 'numeric',
  tach_old_last: 'numeric',
  tach_new_first: 'numeric',
  reading_flags: 'jsonb',
  instructor_time_in: 'text',
  instructor_time_out: 'text',
  ground_school_time: 'text',
  notes: 'text',
  created_at: 'timestamptz',
  completed_at: 'timestamptz',
  departed_at: 'timestamptz',
  landed_at: 'timestamptz',
  completed_by: 'integer',
};

const FUEL_TYPES = {
  school_id: 'integer',
  flight_log_id: 'integer',
  refueled: 'boolean',
  oil_added: 'boolean',
  oil_quantity: 'numeric',
  notes: 'text',
};

const SEGMENT_TYPES = {
  school_id: 'integer',
  aircraft_id: 'integer',
  flight_log_id: 'integer',
  meter_type: 'text',
  reason: 'text',
  old_last: 'numeric',
  first_reading: 'numeric',
  started_at: 'timestamptz',
  declared_by: 'integer',
};
