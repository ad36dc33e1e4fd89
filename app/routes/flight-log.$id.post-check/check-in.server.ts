import { setTimeout } from 'node:timers/promises';
import { db } from '#app/server/db.server.ts';
import { type Actor, asMember, type Member } from '#app/domain/actor.ts';
import { type Draft, findDraft, keepDraft } from '#app/domain/drafts.server.ts';
import { assertCompletable, checkInDraft } from '#app/domain/flights/complete-flight.server.ts';
import { GROUND_SCHOOL_TIMES } from '#app/domain/flights/schema.server.ts';
import { findFlightLog } from '#app/domain/flights/queries.server.ts';
import { findFlightScans } from '#app/domain/meters/flight-scans.server.ts';
import { findUsers, INSTRUCTING_ROLES } from '#app/domain/people/queries.server.ts';
import { Refusal } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { attempt } from '#app/server/partial-load.server.ts';
import { paths } from '#app/paths.ts';
import { idFrom } from '#app/server/ids.server.ts';
import { type MeterFields, readPhoto, shownScans, typedIn } from '#app/features/meters/photo-form.server.ts';
import { findUnsent } from '#app/server/parked-forms.server.ts';

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

/** What was typed into a check-in before: it was sent after the session had ended, or kept while a photo was read. */
export async function typedBefore(actor: Actor, url: URL, { id, aircraft }: { id: number; aircraft: { id: number } }) {
  const unsent = await findUnsent(db, actor, url);
  const typed = unsent ?? (await findDraft(db, actor.id, checkInDraft(id))) ?? {};
  const scanIds = { hobbs: typed.endHobbsScan, tach: typed.endTachScan };
  const scans = await findFlightScans(db, asFlier(actor).schoolId, aircraft.id, scanIds);
  return { typed, unsent: unsent !== undefined, scans: shownScans(scans) };
}

/** Reads the photo of a meter at the end of a flight, and leads back to the check-in with its reading filled in. */
export function readEndPhoto(actor: Actor, form: FormData, flight: { id: number; aircraftId: number }, meter: MeterFields) {
  const keep = async (filled: Draft) => {
    await keepDraft(db, actor.id, checkInDraft(flight.id), Object.entries({ ...typedIn(form), ...filled }));
    return `${paths.checkIn(flight.id)}?read=${meter.name}`;
  };
  return readPhoto({ pilot: asMember(actor), form, aircraftId: flight.aircraftId, meter, keep });
}

/** Keeps what stands in the form of the pilot's own flight. Throws as the page does, and 'conflict' once completed. */
export async function keepCheckIn(actor: Actor, id: string | undefined, form: FormData): Promise<void> {
  const own = await assertOwnFlight(actor, id);
  if (own.completed) throw new Refusal('conflict', texts.alreadyCompleted);
  await keepDraft(db, actor.id, checkInDraft(own.id), Object.entries(typedIn(form)));
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
  return { id: flightLogId, aircraftId: log.aircraft_id, completed: log.completed_at !== null };
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
