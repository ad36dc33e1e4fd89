import { type Expression, sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';

/** Finds the aircraft's meter changes, oldest first; its first meters are none. */
export function findMeterChanges(db: Db | Trx, schoolId: number | null, aircraftId: number) {
  return meterChangesQuery(db, schoolId, aircraftId).execute();
}

export function meterChangesQuery(db: Db | Trx, schoolId: number | null, aircraftId: number | Expression<number>) {
  return db
    .selectFrom('meter_segments')
    .innerJoin('users', 'users.id', 'declared_by')
    .select(['meter_segments.id', 'meter_type', 'reason', 'started_at', 'remark'])
    .select(readingText<string | null>('old_last').as('old_last'))
    .select(readingText<string | null>('first_reading').as('first_reading'))
    .select(['users.id as declarer_id', 'username', 'flight_log_id'])
    .where('meter_segments.school_id', '=', schoolId)
    .where('aircraft_id', '=', aircraftId)
    .orderBy('started_at')
    .orderBy('meter_segments.id');
}

/** Selects a column with a reading as text, which JSON keeps as it is: a number would lose its '.0'. */
export function readingText<Reading extends string | null = string>(column: string) {
  return sql<Reading>`${sql.ref(column)}::text`;
}
