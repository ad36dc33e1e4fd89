import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import { MAX_JUMP_PLACES } from '#app/limits.ts';
import { conditionColumns } from '../aircraft/condition-queries.server.ts';

/** Finds the school's aircraft whose tail number contains the text; those that begin with it come first. */
export function findAircraftByText(db: Db, schoolId: number | null, text: string) {
  return db
    .selectFrom('aircraft')
    .select(['id', 'tail_number as tailNumber', 'make', 'model', 'last_hobbs', 'last_tach'])
    .select(conditionColumns)
    .where('school_id', '=', schoolId)
    .where('deleted_at', 'is', null)
    .where('tail_number', 'ilike', containing(text))
    .orderBy(sql`tail_number not ilike ${`${escaped(text)}%`}`)
    .orderBy('tail_number')
    .limit(MAX_JUMP_PLACES)
    .execute();
}

/** Finds the school's users whose username contains the text; those that begin with it come first. */
export function findPeopleByText(db: Db, schoolId: number | null, text: string) {
  return db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('school_id', '=', schoolId)
    .where('deleted_at', 'is', null)
    .where('username', 'ilike', containing(text))
    .orderBy(sql`username not ilike ${`${escaped(text)}%`}`)
    .orderBy('username_key')
    .limit(MAX_JUMP_PLACES)
    .execute();
}

/** Finds a flight; undefined outside the school, and for a cancelled check-out. */
export function findFlightById(db: Db, schoolId: number | null, id: number) {
  return db
    .selectFrom('flight_logs')
    .innerJoin('aircraft', 'aircraft.id', 'flight_logs.aircraft_id')
    .select(['flight_logs.id', 'tail_number as tailNumber', 'flight_logs.created_at as startedAt'])
    .where('flight_logs.school_id', '=', schoolId)
    .where('flight_logs.id', '=', id)
    .where('voided_at', 'is', null)
    .executeTakeFirst();
}

/** Makes the pattern of 'ilike' that finds the text anywhere. */
export function containing(text: string): string {
  return `%${escaped(text)}%`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}
