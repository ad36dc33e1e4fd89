import type { Db } from '#db/connect.server.ts';
import type { NewRow } from '#db/tables.ts';
import type { Member } from '#app/domain/actor.ts';
import { type Columns, insertRow } from './rows.ts';

/** A flight of the pilot that is still under way, unless the columns complete it; its id. */
export function makeFlight(db: Db, pilot: Member, aircraft_id: number, columns: Columns<'flight_logs'> = {}) {
  const started = {
    school_id: pilot.schoolId,
    aircraft_id,
    user_id: pilot.id,
    start_hobbs: '100.0',
    start_tach: '90.0',
  };
  return insertRow(db, 'flight_logs', { ...started, ...columns });
}

/** The columns of a flight that has ended. */
export function completed(
  start: string,
  end: string,
): Pick<NewRow<'flight_logs'>, 'created_at' | 'completed_at' | 'end_hobbs' | 'end_tach'> {
  return { created_at: new Date(start), completed_at: new Date(end), end_hobbs: '101.2', end_tach: '91.0' };
}
