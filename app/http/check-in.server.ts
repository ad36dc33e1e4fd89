import { setTimeout } from 'node:timers/promises';
import { db } from '../db.server.ts';
import { type Actor, asMember, type Member } from '../domain/actor.ts';
import { assertCompletable } from '../domain/flights/complete-flight.server.ts';
import { GROUND_SCHOOL_TIMES } from '../domain/flights/fields.server.ts';
import { findFlightLog } from '../domain/flights/queries.server.ts';
import { findUsers, INSTRUCTING_ROLES } from '../domain/people/queries.server.ts';
import { Refusal } from '../domain/refusal.ts';
import { texts } from '../domain/texts.ts';
import { attempt } from './attempt.server.ts';
import { idFrom } from './ids.server.ts';

// Milliseconds in which the pool sees that a connection is dead, so that the second read gets another one.
const BEFORE_SECOND_READ = 200;

/**
 * The pilot's own flight in progress, for its check-in page; read a second time if the first fails (B212).
 * Throws in the page's words: 'notFound', 'forbidden' for anybody but the pilot, 'conflict' once completed.
 */
export async function flightToCheckIn(actor: Actor, id: string | undefined) {
  const pilot = asFlier(actor);
  const read = () => findOwnFlight(pilot, id);
  return read().catch(async (error: unknown) => {
    if (error instanceof Refusal) throw error;
    await setTimeout(BEFORE_SECOND_READ);
    return read();
  });
}

/** Who may have instructed, for the select; without them the form still works (B299). */
export function instructorChoices(actor: Actor) {
  const found = findUsers(db, asFlier(actor).schoolId, INSTRUCTING_ROLES);
  const choices = found.then((users) => users.map(({ id, username }) => ({ value: String(id), label: username })));
  return attempt(choices, 'Failed to fetch instructors');
}

/** '0 hours' to '3 hours' (spec §9). */
export const GROUND_SCHOOL_CHOICES = GROUND_SCHOOL_TIMES.map((hours) => ({
  value: hours,
  label: hours === '1' ? '1 hour' : `${hours} hours`,
}));

/** Throws as the check-in page does, where nothing could be completed whatever the form says (C33). */
export async function assertOwnFlight(actor: Actor, id: string | undefined) {
  const flightLogId = idFrom(id);
  if (flightLogId === undefined) throw notFound();
  const log = await assertCompletable(db, asMember(actor), flightLogId).catch(inPageWords);
  return { id: flightLogId, completed: log.completed_at !== null };
}

async function findOwnFlight(pilot: Member, id: string | undefined) {
  const own = await assertOwnFlight(pilot, id);
  if (own.completed) throw new Refusal('conflict', texts.alreadyCompleted);
  const log = await findFlightLog(db, pilot.schoolId, own.id);
  if (!log) throw notFound();
  return log;
}

// A user without a school has no flights: nothing here is theirs to find (C36).
function asFlier(actor: Actor): Member {
  if (actor.schoolId === null) throw notFound();
  return asMember(actor);
}

function inPageWords(error: unknown): never {
  throw error instanceof Refusal && error.code === 'notFound' ? notFound() : error;
}

function notFound(): Refusal {
  return new Refusal('notFound', 'Could not find flight log. Please try again.');
}
