import type { Db } from '#db/connect.server.ts';
import { MAX_ID, MAX_JUMP_PLACES, MAX_JUMP_QUERY_CHARACTERS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import type { Actor } from '../actor.ts';
import { conditionSuffix } from '../aircraft/condition.ts';
import { conditionsOfRow } from '../aircraft/condition-queries.server.ts';
import { formatDate } from '../format.server.ts';
import { can } from '../permissions.ts';
import { findAircraftByText, findFlightById, findPeopleByText } from './queries.server.ts';

export interface JumpTarget {
  href: string;
  kind: 'Aircraft' | 'Person' | 'Flight';
  label: string;
}

/** Finds a flight of the reader's school by its number, aircraft and people by a part of their name. */
export async function findJumpTargets(
  db: Db,
  { schoolId, role, timeZone }: Actor,
  typed: string,
): Promise<JumpTarget[]> {
  const text = typed.trim().slice(0, MAX_JUMP_QUERY_CHARACTERS);
  if (text === '') return [];
  const flightId = flightIdIn(text);
  const [flight, aircraft, people] = await Promise.all([
    flightId === undefined ? undefined : findFlightById(db, schoolId, flightId),
    findAircraftByText(db, schoolId, text),
    findPeopleByText(db, schoolId, text),
  ]);
  const places: JumpTarget[] = [
    ...aircraft.map(({ id, tailNumber, make, model, ...row }) => ({
      href: paths.aircraft(id),
      kind: 'Aircraft' as const,
      label: `${tailNumber}${conditionSuffix(conditionsOfRow(row)[0]?.kind ?? null)}, ${make} ${model}`,
    })),
    ...people.map(({ id, username }) => ({
      href: can(role, 'manage users') ? paths.user(id) : paths.userRow(id),
      kind: 'Person' as const,
      label: username,
    })),
  ];
  if (!flight) return places.slice(0, MAX_JUMP_PLACES);
  const { id, tailNumber, startedAt } = flight;
  const label = `#${id}, ${tailNumber}, ${formatDate(startedAt, timeZone).text}`;
  const place: JumpTarget = { href: paths.flightPage(id), kind: 'Flight', label };
  // A number alone is more often a part of a tail number.
  const inOrder = text.startsWith('#') ? [place, ...places] : [...places.slice(0, MAX_JUMP_PLACES - 1), place];
  return inOrder.slice(0, MAX_JUMP_PLACES);
}

function flightIdIn(text: string): number | undefined {
  const id = Number(/^#?([1-9]\d{0,9})$/.exec(text)?.[1] ?? 0);
  return id > 0 && id <= MAX_ID ? id : undefined;
}
