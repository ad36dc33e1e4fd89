import type { Actor } from '#app/domain/actor.ts';
import { findTailNumbersWithYears } from '#app/domain/aircraft/namesakes.server.ts';
import { findFleet, findRemovedAircraft } from '#app/domain/aircraft/queries.server.ts';
import { findLogbookPeople, type LogbookPerson } from '#app/domain/flights/logbook/people.server.ts';
import { markedName } from '#app/domain/people/former/namesakes.server.ts';
import { texts } from '#app/domain/texts.ts';
import { loadNamesakeMarks } from '#app/features/people/namesake-marks.server.ts';
import { db } from '#app/server/db.server.ts';
import { loadOrFailure } from '#app/server/partial-load.server.ts';

/** Aircraft, pilots and instructors to choose; or the text of a failure. */
export function loadFilterOptions(reader: Actor) {
  return loadOrFailure(findFilterOptions(reader), texts.fetchAircraftFailed);
}

async function findFilterOptions(reader: Actor) {
  const [aircraft, found, marks] = await Promise.all([
    findAircraftOptions(reader),
    findLogbookPeople(db, reader.schoolId),
    loadNamesakeMarks(reader),
  ]);
  const people = found.map((person) => ({ ...person, username: markedName(marks, person) }));
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
async function findAircraftOptions(reader: Actor) {
  const { schoolId } = reader;
  const [fleet, removed] = await Promise.all([findFleet(db, schoolId), findRemovedAircraft(db, schoolId)]);
  const years = removed.length > 0 ? await findTailNumbersWithYears(db, reader) : new Map<number, string>();
  const toRemovedOption = ({ id, tailNumber }: (typeof removed)[number]) =>
    toOption({ id, tailNumber: years.get(id) ?? tailNumber });
  return [ALL_AIRCRAFT, ...fleet.map(toOption), ...groupOf('Removed aircraft', removed.map(toRemovedOption))];
}

export function toOption({ id, tailNumber }: { id: number; tailNumber: string }) {
  return { value: String(id), label: tailNumber };
}

export function peopleOptions(everybody: string, people: LogbookPerson[]) {
  const options = (deleted: boolean) =>
    people
      .filter(({ isDeleted }) => isDeleted === deleted)
      .map(({ id, username }) => ({ value: String(id), label: username }));
  return [{ value: '', label: everybody }, ...options(false), ...groupOf('Deleted users', options(true))];
}

function groupOf(label: string, options: { value: string; label: string }[]) {
  return options.length > 0 ? [{ label, options }] : [];
}
