import type { Actor } from '#app/domain/actor.ts';
import { findFilterChoices } from '#app/domain/flights/logbook/filter-choices.server.ts';
import { findNamesakeMarks, markedName } from '#app/domain/people/former/namesakes.server.ts';
import { texts } from '#app/domain/texts.ts';
import { db } from '#app/server/db.server.ts';
import { loadOrFailure } from '#app/server/partial-load.server.ts';

/** Aircraft, pilots and instructors to choose; or the text of a failure. */
export function loadFilterOptions(reader: Actor) {
  return loadFilter(reader).options;
}

/** The same, and 'since 2026' of namesakes, which the rest of the page needs even where the options fail. */
export function loadFilter(reader: Actor) {
  const choices = findFilterChoices(db, reader);
  return {
    options: loadOrFailure(choices.then(toFilterOptions), texts.fetchAircraftFailed),
    marks: choices.then(({ marks }) => marks).catch(() => findNamesakeMarks(db, reader)),
  };
}

type FilterChoices = Awaited<ReturnType<typeof findFilterChoices>>;

/** Ends with removed aircraft that still have flights. */
function toFilterOptions({ fleet, removed, people, marks }: FilterChoices) {
  const removedAircraft = groupOf('Removed aircraft', removed.map(toOption));
  return {
    aircraft: [{ value: '', label: 'All Aircraft' }, ...fleet.map(toOption), ...removedAircraft],
    pilots: pilotOptions('All Pilots', { people, marks }),
    instructors: instructorOptions('All Instructors', { people, marks }),
  };
}

type People = Pick<FilterChoices, 'people' | 'marks'>;

export function pilotOptions(nobody: string, { people, marks }: People) {
  return peopleOptions(nobody, { people: people.filter(({ canFly }) => canFly), marks });
}

export function instructorOptions(nobody: string, { people, marks }: People) {
  return peopleOptions(nobody, { people: people.filter(({ canInstruct }) => canInstruct), marks });
}

export function toOption({ id, tailNumber }: { id: number; tailNumber: string }) {
  return { value: String(id), label: tailNumber };
}

function peopleOptions(nobody: string, { people, marks }: People) {
  const options = (deleted: boolean) =>
    people
      .filter(({ isDeleted }) => isDeleted === deleted)
      .map((person) => ({ value: String(person.id), label: markedName(marks, person) }));
  return [{ value: '', label: nobody }, ...options(false), ...groupOf('Deleted users', options(true))];
}

function groupOf(label: string, options: { value: string; label: string }[]) {
  return options.length > 0 ? [{ label, options }] : [];
}
