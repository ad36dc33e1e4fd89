import type { Actor } from '#app/domain/actor.ts';
import { findFilterChoices } from '#app/domain/flights/logbook/people.server.ts';
import { instructorOptions, pilotOptions, toAircraftOption } from '#app/features/flights/filter-options.server.ts';
import { GROUND_SCHOOL_OPTIONS } from '#app/features/flights/form/instructor-options.server.ts';
import { nextStepToAddAircraft } from '#app/features/flights/next-steps.server.ts';
import { db } from '#app/server/db.server.ts';

/** Finds the fleet, and everybody who may have been on a flight, former users too. */
export async function findEntryOptions(reader: Actor) {
  const { fleet, ...people } = await findFilterChoices(db, reader);
  const options = {
    aircraft: [{ value: '', label: 'Select an aircraft' }, ...fleet.map(toAircraftOption)],
    pilots: [{ value: '', label: 'Select a pilot' }, ...pilotOptions(people)],
    instruction: {
      instructors: { value: instructorOptions(people), failure: null },
      groundSchoolTimes: GROUND_SCHOOL_OPTIONS,
    },
  };
  return { options, way: fleet.length === 0 ? nextStepToAddAircraft(reader) : null };
}
