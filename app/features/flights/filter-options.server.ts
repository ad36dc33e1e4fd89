import type { Actor } from '#app/domain/actor.ts';
import { findFilterChoices } from '#app/domain/flights/logbook/people.server.ts';
import { findNamesakeMarks, markedName, type NamesakeMarks } from '#app/domain/people/namesakes.server.ts';
import { formatCalendarDay } from '#app/domain/format.server.ts';
import { texts } from '#app/domain/texts.ts';
import { db } from '#app/server/db.server.ts';
import { loadOrFailure } from '#app/server/error-responses.server.ts';
import type { FlightFilterQuery } from '#app/paths.ts';
import { periodText } from './hours/period-text.server.ts';

/** Loads what there is to choose from, and in words what `filter` chose; or the text of a failure. */
export async function loadFilterOptions(reader: Actor, filter: FlightFilterQuery) {
  return toFilterOptions(await loadChoices(reader), filter);
}

/** Loads them with the marks of namesakes, 'since 2026', which the page needs even if the options fail. */
export async function loadFilterOptionsAndMarks(reader: Actor, filter: FlightFilterQuery) {
  const choices = await loadChoices(reader);
  const marks = choices.failure === null ? choices.value.marks : await findNamesakeMarks(db, reader);
  return { options: toFilterOptions(choices, filter), marks };
}

function loadChoices(reader: Actor) {
  return loadOrFailure(findFilterChoices(db, reader), texts.fetchAircraftFailed);
}

function toFilterOptions(choices: Awaited<ReturnType<typeof loadChoices>>, filter: FlightFilterQuery) {
  if (choices.failure !== null) return choices;
  const { fleet, removed, people, marks } = choices.value;
  const removedAircraft = groupOf('Removed aircraft', removed.map(toAircraftOption));
  const options = {
    aircraft: [{ value: '', label: 'All Aircraft' }, ...fleet.map(toAircraftOption), ...removedAircraft],
    pilots: [{ value: '', label: 'All Pilots' }, ...pilotOptions({ people, marks })],
    instructors: [{ value: '', label: 'All Instructors' }, ...instructorOptions({ people, marks })],
    chosen: chosenWords(filter, choices.value),
  };
  return { value: options, failure: null };
}

/** Returns what the filter asks for, in words such as 'anna' and 'since Fri 1 May 2026'. */
function chosenWords(filter: FlightFilterQuery, { fleet, removed, people, marks }: Choices): string[] {
  const { aircraftId, pilotId, instructorId, from, to, status, q, since } = filter;
  const nameOf = (id: number | undefined) => {
    const person = people.find((one) => one.id === id);
    return person && markedName(marks, person);
  };
  const instructor = nameOf(instructorId);
  return [
    [...fleet, ...removed].find(({ id }) => id === aircraftId)?.tailNumber,
    nameOf(pilotId),
    instructor && `with ${instructor}`,
    (from ?? to) && periodText({ from, to }),
    status && (status === 'completed' ? 'completed' : 'in progress'),
    q && `“${q}”`,
    since && `changed since ${formatCalendarDay(since.slice(0, 10)).text}`,
  ].filter((words) => words !== undefined);
}

type Choices = Awaited<ReturnType<typeof findFilterChoices>>;
type People = Pick<Choices, 'people' | 'marks'>;

export function pilotOptions({ people, marks }: People) {
  return peopleOptions({ people: people.filter(({ canFly }) => canFly), marks });
}

export function instructorOptions({ people, marks }: People) {
  return peopleOptions({ people: people.filter(({ canInstruct }) => canInstruct), marks });
}

export function toAircraftOption({ id, tailNumber }: { id: number; tailNumber: string }) {
  return { value: String(id), label: tailNumber };
}

interface MarkedPeople {
  people: { id: number; username: string; isDeleted: boolean }[];
  marks: NamesakeMarks;
}

export function peopleOptions({ people, marks }: MarkedPeople) {
  const options = (deleted: boolean) =>
    people
      .filter(({ isDeleted }) => isDeleted === deleted)
      .map((person) => ({ value: String(person.id), label: markedName(marks, person) }));
  return [...options(false), ...groupOf('Deleted users', options(true))];
}

function groupOf(label: string, options: { value: string; label: string }[]) {
  return options.length > 0 ? [{ label, options }] : [];
}
