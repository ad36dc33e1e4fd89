import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import type { Actor } from '../../actor.ts';
import { can } from '../../permissions.ts';
import { isOverdue } from '../overdue.server.ts';
import { findOpenFlights } from '../queries.server.ts';
import type { OpenFlight } from '../schema.server.ts';

/** Finds flights long out or past midnight, the longest first; a user who may not see all gets their own. */
export async function findStuckFlights(db: Db, reader: Actor, now: Date): Promise<OpenFlight[]> {
  const { schoolId, role, id, timeZone } = reader;
  const overdue = isOverdue(sql`flight_logs.created_at`, timeZone, sql<Date>`${now}::timestamptz`);
  const open = await findOpenFlights(db, schoolId, can(role, 'see all open flights') ? undefined : id, overdue);
  return open.toReversed();
}
