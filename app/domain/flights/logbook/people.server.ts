import { INSTRUCTING_ROLES } from '../../permissions.ts';
import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { hasFlight, isNotCancelled } from '../flight-order.server.ts';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { namesakeAircraftQuery, toTailNumbersWithYears } from '../../aircraft/namesakes.server.ts';
import { fleetNamesQuery, removedAircraftWithFlightsQuery } from '../../aircraft/queries.server.ts';
import { namesakeMarksOf, namesakesQuery } from '../../people/namesakes.server.ts';

/** Selects the people whom the filter offers, by name: the school's, and deleted ones who stand in a flight. */
function logbookPeopleQuery(db: Db, schoolId: number | null) {
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

/** Finds what the filter of the flights offers, and whose names are marked, by one statement. */
export async function findFilterChoices(db: Db, { schoolId, timeZone }: { schoolId: number | null; timeZone: string }) {
  const found = await db
    .selectNoFrom([
      jsonArrayFrom(fleetNamesQuery(db, schoolId)).as('fleet'),
      jsonArrayFrom(removedAircraftWithFlightsQuery(db, schoolId)).as('removed'),
      jsonArrayFrom(namesakeAircraftQuery(db, schoolId)).as('namesakeAircraft'),
      jsonArrayFrom(logbookPeopleQuery(db, schoolId)).as('people'),
      jsonArrayFrom(namesakesQuery(db, schoolId)).as('namesakes'),
    ])
    .executeTakeFirstOrThrow();
  const years = toTailNumbersWithYears(found.namesakeAircraft.map(withDates), timeZone);
  return {
    fleet: found.fleet,
    removed: found.removed.map(({ id, tailNumber }) => ({ id, tailNumber: years.get(id) ?? tailNumber })),
    people: found.people,
    marks: namesakeMarksOf(
      found.namesakes.map((one) => ({ ...one, createdAt: new Date(one.createdAt) })),
      timeZone,
    ),
  };
}

function withDates<Row extends { addedAt: string; removedAt: string | null }>({ addedAt, removedAt, ...row }: Row) {
  return { ...row, addedAt: new Date(addedAt), removedAt: removedAt === null ? null : new Date(removedAt) };
}
