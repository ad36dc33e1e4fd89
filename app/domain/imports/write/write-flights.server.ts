import { analyzeTables } from '#db/analyze.ts';
import { MIN_ROWS_FOR_POSTGRES_ANALYZE, IMPORT_BATCH_ROWS } from '#app/limits.ts';
import { moveDuePoints, type MeterSegment } from '../../readings/meter-changes.server.ts';
import { METER_TYPES } from '../../readings/meters.ts';
import { assertPlanIsCurrent } from '../plan/assert-plan-is-current.server.ts';
import { toStoredValues } from '../plan/facts.server.ts';
import { FLIGHT_COLUMN_FACTS } from '../plan/flight-facts.server.ts';
import type { Plan, PlannedFlight } from '../plan/plan.ts';
import type { FlightRecord } from '../records.ts';
import { updateAircraftOfFlights } from './update-aircraft.server.ts';
import { insertInBatches, mapLazily, takeIds, type WriteContext, writeImportRows } from './write-records.server.ts';

/**
 * Without a lock that a check-out would wait for, until all rows are there. No mail, alert or webhook comes of flights
 * that are long over.
 */
export async function writeFlights(context: WriteContext, plan: Plan<'flights'>): Promise<void> {
  const written: Written[] = [];
  for (let at = 0; at < plan.added.length; at += IMPORT_BATCH_ROWS)
    written.push(...(await writeBatch(context, plan.added.slice(at, at + IMPORT_BATCH_ROWS))));
  const isLarge = written.length >= MIN_ROWS_FOR_POSTGRES_ANALYZE;
  if (isLarge) await analyzeTables(context.trx, ['flight_logs']);
  await writeFuelRecords(context, written);
  const segments = await writeMeterChanges(context, written);
  const imported = mapLazily(written, ({ flight: { record }, id }) => ({
    row: record.row,
    sourceId: record.sourceId,
    id,
    ...(record.untimed && { after: { day: record.untimed.day } }),
  }));
  await writeImportRows(context, 'flight_logs', imported);
  if (isLarge) await analyzeTables(context.trx, ['fuel_records', 'import_rows']);
  await assertPlanIsCurrent(context, plan);
  await updateAircraftOfFlights(context, plan.added);
  const mover = { id: context.doneBy, schoolId: context.schoolId };
  for (const segment of segments) await moveDuePoints(context.trx, mover, segment);
}

interface Written {
  flight: PlannedFlight;
  id: number;
}

async function writeBatch({ trx, schoolId, onProgress }: WriteContext, added: PlannedFlight[]): Promise<Written[]> {
  const ids = await takeIds(trx, 'flight_logs', added.length);
  const flights = added.map((flight, at) => ({ flight, id: ids[at] ?? 0 }));
  const rows = flights.map(({ flight, id }) => ({
    ...{ id, school_id: schoolId, aircraft_id: flight.aircraftId, completed_by: flight.pilotId },
    ...toStoredValues(FLIGHT_COLUMN_FACTS, flight),
  }));
  await insertInBatches(trx, 'flight_logs', rows, onProgress);
  return flights;
}

async function writeFuelRecords({ trx, schoolId }: WriteContext, written: Written[]): Promise<void> {
  const fuelled = written.filter(
    ({ flight: { record } }) => record.refueled || record.oilQuarts != null || record.fuelNotes,
  );
  const records = mapLazily(fuelled, ({ flight: { record }, id }) => ({
    school_id: schoolId,
    flight_log_id: id,
    refueled: record.refueled ?? false,
    oil_added: record.oilQuarts != null,
    oil_quantity: record.oilQuarts ?? null,
    notes: record.fuelNotes,
  }));
  await insertInBatches(trx, 'fuel_records', records);
}

/** Returns the changes, oldest first. */
async function writeMeterChanges({ trx, schoolId }: WriteContext, written: Written[]): Promise<MeterSegment[]> {
  const segments = written.flatMap(({ flight, id }) =>
    changesOf(flight.record).map(({ meter, reason, oldLast, newFirst, remark }) => ({
      school_id: schoolId,
      aircraft_id: flight.aircraftId,
      flight_log_id: id,
      meter_type: meter,
      reason,
      old_last: oldLast,
      first_reading: newFirst,
      started_at: flight.record.completedAt,
      declared_by: flight.pilotId,
      remark,
    })),
  );
  await insertInBatches(trx, 'meter_segments', segments);
  return segments.toSorted((one, other) => one.started_at.getTime() - other.started_at.getTime());
}

function changesOf({ meterChanges }: FlightRecord) {
  return METER_TYPES.flatMap((meter) => {
    const change = meterChanges?.[meter];
    return change ? [{ meter, ...change }] : [];
  });
}
