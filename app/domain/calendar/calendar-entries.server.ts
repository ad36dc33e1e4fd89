import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import { CALENDAR_DAYS, MAX_CALENDAR_FLIGHTS } from '#app/limits.ts';
import type { Member } from '../actor.ts';
import { ago } from '../database-clock.server.ts';
import { findNamesakeMarks, markedName } from '../people/namesakes.server.ts';
import { can } from '../permissions.ts';

export type CalendarFlight = Awaited<ReturnType<typeof findCalendarFlights>>[number];

/** Finds the aircraft's flights of the last twelve months as the reader may see them, the newest first. */
export async function findCalendarFlights(db: Db, reader: Member, aircraftId: number) {
  const [marks, rows] = await Promise.all([
    findNamesakeMarks(db, reader),
    flightsQuery(db, reader.schoolId, aircraftId).execute(),
  ]);
  const seesAll = can(reader.role, 'see all open flights');
  return rows.map(({ id, pilotId, pilot, checkedOutAt, completedAt, departedAt, landedAt, changedAt }) => ({
    ...{
      id,
      checkedOutAt,
      changedAt,
      start: departedAt ?? checkedOutAt,
      end: completedAt && (landedAt ?? completedAt),
    },
    pilot:
      completedAt !== null || seesAll || pilotId === reader.id
        ? markedName(marks, { id: pilotId, username: pilot })
        : null,
  }));
}

function flightsQuery(db: Db, schoolId: number, aircraftId: number) {
  return db
    .selectFrom('flight_logs')
    .innerJoin('users', 'users.id', 'flight_logs.user_id')
    .select(['flight_logs.id', 'user_id as pilotId', 'username as pilot', 'flight_logs.created_at as checkedOutAt'])
    .select(['completed_at as completedAt', 'departed_at as departedAt', 'landed_at as landedAt'])
    .select(({ selectFrom, fn }) => {
      const corrected = selectFrom('flight_log_revisions')
        .select(({ fn }) => fn.max('flight_log_revisions.created_at').as('at'))
        .whereRef('flight_log_revisions.school_id', '=', 'flight_logs.school_id')
        .whereRef('flight_log_revisions.flight_log_id', '=', 'flight_logs.id');
      const created = sql.ref('flight_logs.created_at');
      return fn<Date>('greatest', [created, sql.ref('completed_at'), sql.ref('entered_at'), corrected]).as('changedAt');
    })
    .where('flight_logs.school_id', '=', schoolId)
    .where('aircraft_id', '=', aircraftId)
    .where('voided_at', 'is', null)
    .where('flight_logs.created_at', '>', ago(CALENDAR_DAYS, 'days'))
    .orderBy('flight_logs.created_at', 'desc')
    .orderBy('flight_logs.id', 'desc')
    .limit(MAX_CALENDAR_FLIGHTS);
}

export type CalendarInspection = Awaited<ReturnType<typeof findCalendarInspections>>[number];

/** Finds inspections that are due on a day; one that is due at a reading has none. */
export async function findCalendarInspections(db: Db, schoolId: number, aircraftId: number) {
  return db
    .selectFrom('inspections')
    .select(['id', 'name', 'created_at as createdAt', 'changed_at as changedAt'])
    .select(sql<string>`due_on::text`.as('dueOn'))
    .where('school_id', '=', schoolId)
    .where('aircraft_id', '=', aircraftId)
    .where('removed_at', 'is', null)
    .where('due_on', 'is not', null)
    .orderBy('id')
    .execute();
}
