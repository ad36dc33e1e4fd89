import type { Actor } from '#app/domain/actor.ts';
import { findFleet, findRemovedAircraft } from '#app/domain/aircraft/queries.server.ts';
import { findLogbookPeople, type LogbookPerson } from '#app/domain/flights/logbook/people.server.ts';
import { texts } from '#app/domain/texts.ts';
import { db } from '#app/server/db.server.ts';
import { loadOrFailure } from '#app/server/partial-load.server.ts';

/** Aircraft, pilots and instructors to choose; or the text of a failure. */
export function loadFilterOptions({ schoolId }: Actor) {
  return loadOrFailure(findFilterOptions(schoolId), texts.fetchAircraftFailed);
}

async function findFilterOptions(schoolId: number | null) {
  const [aircraft, people] = await Promise.all([findAircraftOptions(schoolId), findLogbookPeople(db, schoolId)]);
  return {
    aircraft,
    pilots: peopleOptions(
      'All Pilots',
      people.filter(({ canFly }) => canFly),
    ),
    instructors: peopleOptions(
      'All Instructors',
      people.filter(({ canInstruct }) => canInstruct),
    ),
  };
}

const ALL_AIRCRAFT = { value: '', label: 'All Aircraft' };

/** Ends with removed aircraft that still have flights. */
async function findAircraftOptions(schoolId: number | null) {
  const [fleet, removed] = await Promise.all([findFleet(db, schoolId), findRemovedAircraft(db, schoolId)]);
  return [ALL_AIRCRAFT, ...fleet.map(toOption), ...groupOf('Removed aircraft', removed.map(toOption))];
}

function toOption({ id, tailNumber }: { id: number; tailNumber: string }) {
  return { value: String(id), label: tailNumber };
}

function peopleOptions(everybody: string, people: LogbookPerson[]) {
  const options = (deleted: boolean) =>
    people
      .filter(({ isDeleted }) => isDeleted === deleted)
      .map(({ id, username }) => ({ value: String(id), label: username }));
  return [{ value: '', label: everybody }, ...options(false), ...groupOf('Deleted users', options(true))];
}

function groupOf(label: string, options: { value: string; label: string }[]) {
  return options.length > 0 ? [{ label, options }] : [];
}
