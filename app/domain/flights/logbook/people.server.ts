import { INSTRUCTING_ROLES } from '../../permissions.ts';
import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { hasFlight, isNotCancelled } from '../flight-order.server.ts';

/** Selects the people whom the filter offers, by name: the school's, and deleted ones who stand in a flight. */
export function logbookPeopleQuery(db: Db, schoolId: number | null) {
  return peopleQuery(db, schoolId).orderBy('username_key').orderBy('id');
}

/** Finds a person; undefined outside the school. */
export function findLogbookPerson(db: Db | Trx, schoolId: number, id: number) {
  return peopleQuery(db, schoolId).where('id', '=', id).executeTakeFirst();
}

function peopleQuery(db: Db | Trx, schoolId: number | null) {
  const inFlight = (column: 'user_id' | 'instructor_id') =>
    hasFlight({ schoolId: sql.ref('users.school_id'), column, id: sql.ref('users.id'), where: isNotCancelled });
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
