import type { Plan, PlannedFlight } from '../plan/plan.ts';
import { writeImportRows } from './import-rows.server.ts';
import { insertRows, mapLazily, takeIds } from './insert-rows.server.ts';
import { updateAircraft } from './update-aircraft.server.ts';
import type { WriteContext } from './write-context.ts';

/** No mail, alert or webhook comes of flights that are long over. */
export async function writeFlights(context: WriteContext, { added }: Plan<'flights'>): Promise<void> {
  const { trx, schoolId, onProgress } = context;
  const ids = await takeIds(trx, 'flight_logs', added.length);
  const flights = added.map((flight, at) => ({ ...flight, id: ids[at] ?? 0 }));
  const rows = mapLazily(flights, (flight) => ({ school_id: schoolId, ...toColumns(flight) }));
  await insertRows(trx, 'flight_logs', FLIGHT_TYPES, rows, onProgress);
  const fuelled = flights.filter(({ refueled, oilQuarts }) => refueled || oilQuarts !== null);
  const records = mapLazily(fuelled, ({ id, refueled, oilQuarts }) => ({
    school_id: schoolId,
    flight_log_id: id,
    refueled,
    oil_added: oilQuarts !== null,
    oil_quantity: oilQuarts,
  }));
  await insertRows(trx, 'fuel_records', FUEL_TYPES, records);
  await writeImportRows(context, 'flight_log_id', flights);
  await updateAircraft(context, flights);
}

function toColumns(flight: PlannedFlight & { id: number }) {
  return {
    id: flight.id,
    aircraft_id: flight.aircraftId,
    user_id: flight.pilotId,
    instructor_id: flight.instructorId,
    start_hobbs: flight.startHobbs,
    start_tach: flight.startTach,
    end_hobbs: flight.endHobbs,
    end_tach: flight.endTach,
    instructor_time_in: flight.instructorTimeIn,
    instructor_time_out: flight.instructorTimeOut,
    ground_school_time: flight.groundSchoolTime,
    notes: flight.notes,
    created_at: flight.startedAt,
    completed_at: flight.completedAt,
    completed_by: flight.pilotId,
  };
}

const FLIGHT_TYPES = {
  id: 'integer',
  school_id: 'integer',
  aircraft_id: 'integer',
  user_id: 'integer',
  instructor_id: 'integer',
  start_hobbs: 'numeric',
  start_tach: 'numeric',
  end_hobbs: 'numeric',
  end_tach: 'numeric',
  instructor_time_in: 'text',
  instructor_time_out: 'text',
  ground_school_time: 'text',
  notes: 'text',
  created_at: 'timestamptz',
  completed_at: 'timestamptz',
  completed_by: 'integer',
};

const FUEL_TYPES = {
  school_id: 'integer',
  flight_log_id: 'integer',
  refueled: 'boolean',
  oil_added: 'boolean',
  oil_quantity: 'numeric',
};
