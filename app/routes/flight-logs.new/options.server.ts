import type { Actor } from '#app/domain/actor.ts';
import { findFleet } from '#app/domain/aircraft/queries.server.ts';
import { findLogbookPeople } from '#app/domain/flights/logbook/people.server.ts';
import { findNamesakeMarks, markedName } from '#app/domain/people/former/namesakes.server.ts';
import { peopleOptions, toOption } from '#app/features/flights/filter-options.server.ts';
import { GROUND_SCHOOL_OPTIONS } from '#app/features/flights/ground-school-options.server.ts';
import { db } from '#app/server/db.server.ts';

/** The fleet, and who may have been on a flight: former people too. */
export async function findEntryOptions(reader: Actor) {
  const [fleet, found, marks] = await Promise.all([
    findFleet(db, reader.schoolId),
    findLogbookPeople(db, reader.schoolId),
    findNamesakeMarks(db, reader),
  ]);
  const people = found.map((person) => ({ ...person, username: markedName(marks, person) }));
  return {
    aircraft: [{ value: '', label: 'Select an aircraft' }, ...fleet.map(toOption)],
    pilots: peopleOptions(
      'Select a pilot',
      people.filter(({ canFly }) => canFly),
    ),
    instructors: peopleOptions(
      'No instructor',
      people.filter(({ canInstruct }) => canInstruct),
    ),
    groundSchoolTimes: GROUND_SCHOOL_OPTIONS,
  };
}
