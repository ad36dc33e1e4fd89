import type { Actor } from '#app/domain/actor.ts';
import { findFilterChoices } from '#app/domain/flights/logbook/filter-choices.server.ts';
import { findNamesakeMarks, markedName } from '#app/domain/people/namesakes.server.ts';
import { texts } from '#app/domain/texts.ts';
import { db } from '#app/server/db.server.ts';
import { loadOrFailure } from '#app/server/error-responses.server.ts';

/** Loads the aircraft, pilots and instructors to choose from; or the text of a failure. */
export async function loadFilterOptions(reader: Actor) {
  return toFilterOptions(await loadChoices(reader));
}

/** Loads them with the marks of namesakes, 'since 2026', which the page needs even if the options fail. */
export async function loadFilter(reader: Actor) {
  const choices = await loadChoices(reader);
  const marks = choices.failure === null ? choices.value.marks : await findNamesakeMarks(db, reader);
  return { options: toFilterOptions(choices), marks };
}

function loadChoices(reader: Actor) {
  return loadOrFailure(findFilterChoices(db, reader), texts.fetchAircraftFailed);
}

/** Lists removed aircraft that still have flights at the end. */
function toFilterOptions(choices: Awaited<ReturnType<typeof loadChoices>>) {
  if (choices.failure !== null) return choices;
  const { fleet, removed, people, marks } = choices.value;
  const removedAircraft = groupOf('Removed aircraft', removed.map(toOption));
  const options = {
    aircraft: [{ value: '', label: 'All Aircraft' }, ...fleet.map(toOption), ...removedAircraft],
    pilots: [{ value: '', label: 'All Pilots' }, ...pilotOptions({ people, marks })],
    instructors: [{ value: '', label: 'All Instructors' }, ...instructorOptions({ people, marks })],
  };
  return { value: options, failure: null };
}

type People = Pick<Awaited<ReturnType<typeof findFilterChoices>>, 'people' | 'marks'>;

export function pilotOptions({ people, marks }: People) {
  return peopleOptions({ people: people.filter(({ canFly }) => canFly), marks });
}

export function instructorOptions({ people, marks }: People) {
  return peopleOptions({ people: people.filter(({ canInstruct }) => canInstruct), marks });
}

export function toOption({ id, tailNumber }: { id: number; tailNumber: string }) {
  return { value: String(id), label: tailNumber };
}

function peopleOptions({ people, marks }: People) {
  const options = (deleted: boolean) =>
    people
      .filter(({ isDeleted }) => isDeleted === deleted)
      .map((person) => ({ value: String(person.id), label: markedName(marks, person) }));
  return [...options(false), ...groupOf('Deleted users', options(true))];
}

function groupOf(label: string, options: { value: string; label: string }[]) {
  return options.length > 0 ? [{ label, options }] : [];
}
