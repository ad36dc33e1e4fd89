import { sql } from 'kysely';
import type { Trx } from '#db/connect.server.ts';
import { deletePasswordLink } from '../../people/password-links.server.ts';
import type { ImportKind } from '../records.ts';
import { restoreMeters } from './restore-meters.server.ts';

type Remove = (trx: Trx, schoolId: number, id: number) => Promise<void>;

/** Deletes what an import of each kind added, and gives what it changed its former values. */
export const REMOVERS: Record<ImportKind, Remove> = {
  fleet: async (trx, schoolId, id) => {
    await sql`update aircraft set make = before ->> 'make', model = before ->> 'model', year = (before ->> 'year')::integer
      from import_rows where import_rows.school_id = ${schoolId} and import_id = ${id} and before is not null
        and aircraft.school_id = ${schoolId} and aircraft.id = aircraft_id`.execute(trx);
    await deleteAdded(trx, schoolId, id, 'aircraft', 'aircraft_id');
  },
  people: async (trx, schoolId, id) => {
    for (const { user_id } of await addedPeople(trx, schoolId, id))
      if (user_id !== null) await deletePasswordLink(trx, schoolId, user_id);
    await deleteAdded(trx, schoolId, id, 'users', 'user_id');
  },
  flights: async (trx, schoolId, id) => {
    await sql`delete from fuel_records using import_rows
      where import_rows.school_id = ${schoolId} and import_id = ${id} and fuel_records.school_id = ${schoolId}
        and fuel_records.flight_log_id = import_rows.flight_log_id`.execute(trx);
    await sql`delete from meter_segments using import_rows
      where import_rows.school_id = ${schoolId} and import_id = ${id} and meter_segments.school_id = ${schoolId}
        and meter_segments.flight_log_id = import_rows.flight_log_id`.execute(trx);
    await deleteAdded(trx, schoolId, id, 'flight_logs', 'flight_log_id');
    // Last, since a check-out waits from here on.
    await restoreMeters(trx, schoolId, id);
  },
  squawks: async (trx, schoolId, id) => {
    await sql`delete from squawk_events using import_rows
      where import_rows.school_id = ${schoolId} and import_id = ${id} and squawk_events.school_id = ${schoolId}
        and squawk_events.squawk_id = import_rows.squawk_id`.execute(trx);
    await deleteAdded(trx, schoolId, id, 'squawks', 'squawk_id');
  },
  inspections: async (trx, schoolId, id) => {
    await sql`update inspections set due_hobbs = (before ->> 'due_hobbs')::numeric, due_tach = (before ->> 'due_tach')::numeric,
        due_on = (before ->> 'due_on')::date, interval_hours = (before ->> 'interval_hours')::numeric,
        interval_days = (before ->> 'interval_days')::integer, interval_months = (before ->> 'interval_months')::integer
      from import_rows where import_rows.school_id = ${schoolId} and import_id = ${id} and before is not null
        and inspections.school_id = ${schoolId} and inspections.id = inspection_id`.execute(trx);
    await deleteAdded(trx, schoolId, id, 'inspections', 'inspection_id');
  },
};

function addedPeople(trx: Trx, schoolId: number, id: number) {
  return trx
    .selectFrom('import_rows')
    .select('user_id')
    .where('school_id', '=', schoolId)
    .where('import_id', '=', id)
    .where('user_id', 'is not', null)
    .execute();
}

async function deleteAdded(trx: Trx, schoolId: number, id: number, table: string, column: string): Promise<void> {
  await sql`delete from ${sql.table(table)} where school_id = ${schoolId} and id in (
    select ${sql.ref(column)} from import_rows
    where school_id = ${schoolId} and import_id = ${id} and ${sql.ref(column)} is not null and before is null)`.execute(
    trx,
  );
}
