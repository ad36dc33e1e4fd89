import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { INSTRUCTING_ROLES } from '../../permissions.ts';

export interface LogbookPerson {
  id: number;
  username: string;
  isDeleted: boolean;
  canFly: boolean;
  canInstruct: boolean;
}

/** Whom the filter offers, by name: the school's people, and deleted ones who stand in a flight. */
export function logbookPeopleQuery(db: Db, schoolId: number | null) {
  return peopleQuery(db, schoolId).orderBy('username_key').orderBy('id');
}

/** Undefined outside the school. */
export function findLogbookPerson(db: Db | Trx, schoolId: number, id: number): Promise<LogbookPerson | undefined> {
  return peopleQuery(db, schoolId).where('id', '=', id).executeTakeFirst();
}

function peopleQuery(db: Db | Trx, schoolId: number | null) {
  const inFlight = (column: 'user_id' | 'instructor_id') =>
    sql<boolean>`exists (select 1 from flight_logs where flight_logs.school_id = users.school_id
      and ${sql.ref(`flight_logs.${column}`)} = users.id and voided_at is null)`;
  const isDeleted = sql<boolean>`deleted_at is not null`;
  return db
    .selectFrom('users')
    .select(['id', 'username', isDeleted.as('isDeleted')])
    .select(sql<boolean>`deleted_at is null or ${inFlight('user_id')}`.as('canFly'))
    .select(
      sql<boolean>`(deleted_at is null and role = any(${[...INSTRUCTING_ROLES]})) or ${inFlight('instructor_id')}`.as(
        'canInstruct',
      ),
    )
    .where('school_id', '=', schoolId);
}
