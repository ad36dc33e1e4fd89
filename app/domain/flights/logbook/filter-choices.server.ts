import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Db } from '#db/connect.server.ts';
import { namesakeAircraftQuery, withYears } from '../../aircraft/namesakes.server.ts';
import { fleetNamesQuery, removedAircraftQuery } from '../../aircraft/queries.server.ts';
import { markNamesakes, namesakesQuery } from '../../people/namesakes.server.ts';
import { logbookPeopleQuery } from './people.server.ts';

/** Finds what the filter of the flights offers, and whose names are marked, by one statement. */
export async function findFilterChoices(db: Db, { schoolId, timeZone }: { schoolId: number | null; timeZone: string }) {
  const found = await db
    .selectNoFrom([
      jsonArrayFrom(fleetNamesQuery(db, schoolId)).as('fleet'),
      jsonArrayFrom(removedAircraftQuery(db, schoolId)).as('removed'),
      jsonArrayFrom(namesakeAircraftQuery(db, schoolId)).as('namesakeAircraft'),
      jsonArrayFrom(logbookPeopleQuery(db, schoolId)).as('people'),
      jsonArrayFrom(namesakesQuery(db, schoolId)).as('namesakes'),
    ])
    .executeTakeFirstOrThrow();
  const years = withYears(found.namesakeAircraft.map(withDates), timeZone);
  return {
    fleet: found.fleet,
    removed: found.removed.map(({ id, tailNumber }) => ({ id, tailNumber: years.get(id) ?? tailNumber })),
    people: found.people,
    marks: markNamesakes(
      found.namesakes.map((one) => ({ ...one, createdAt: new Date(one.createdAt) })),
      timeZone,
    ),
  };
}

/** Turns JSON's texts into times. */
function withDates<Row extends { addedAt: string; removedAt: string | null }>({ addedAt, removedAt, ...row }: Row) {
  return { ...row, addedAt: new Date(addedAt), removedAt: removedAt === null ? null : new Date(removedAt) };
}
