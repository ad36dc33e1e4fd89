import { setTimeout } from 'node:timers/promises';
import { db } from '#app/server/db.server.ts';
import { type Actor, requireSchool, type Member } from '#app/domain/actor.ts';
import { type Draft, findDraft, saveDraft } from '#app/domain/drafts.server.ts';
import { assertCompletable, checkInDraftKey } from '#app/domain/flights/complete-flight.server.ts';
import { GROUND_SCHOOL_TIMES } from '#app/domain/flights/schema.server.ts';
import { findFlightLog } from '#app/domain/flights/queries.server.ts';
import { findFlightScans } from '#app/domain/meters/flight-scans.server.ts';
import { findUsers, INSTRUCTING_ROLES } from '#app/domain/people/queries.server.ts';
import { AppError } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { loadOrFailure } from '#app/server/partial-load.server.ts';
import { paths } from '#app/paths.ts';
import { parseId } from '#app/server/ids.server.ts';
import {
  type MeterFields,
  handlePhotoRead,
  toScanViews,
  textFieldsOf,
} from '#app/features/meters/photo-form.server.ts';
import { findParkedForm } from '#app/server/parked-forms.server.ts';

// Milliseconds in which the pool sees that a connection is dead, so that the second read gets another one.
const RETRY_DELAY_MS = 200;

/**
 * The pilot's own flight in progress, for its check-in page; read a second time if the first fails (B212).
 * Throws in the page's words: 'notFound', 'forbidden' for anybody but the pilot, 'conflict' once completed.
 */
export async function loadFlightToCheckIn(actor: Actor, id: string | undefined) {
  const pilot = requireSchoolOrNotFound(actor);
  const read = () => findOwnFlight(pilot, id);
  return read().catch(async (error: unknown) => {
    if (error instanceof AppError) throw error;
    await setTimeout(RETRY_DELAY_MS);
    return read();
  });
}

/** Who may have instructed, for the select; without them the form still works (B299). */
export function loadInstructorOptions(actor: Actor) {
  const found = findUsers(db, requireSchoolOrNotFound(actor).schoolId, INSTRUCTING_ROLES);
  const choices = found.then((users) => users.map(({ id, username }) => ({ value: String(id), label: username })));
  return loadOrFailure(choices, 'Failed to fetch instructors');
}

/** What was typed into a check-in before: it was sent after the session had ended, or kept while a photo was read. */
export async function loadEnteredValues(
  actor: Actor,
  url: URL,
  { id, aircraft }: { id: number; aircraft: { id: number } },
) {
  const parkedForm = await findParkedForm(db, actor, url);
  const enteredValues = parkedForm ?? (await findDraft(db, actor.id, checkInDraftKey(id))) ?? {};
  const scanIds = { hobbs: enteredValues.endHobbsScan, tach: enteredValues.endTachScan };
  const scans = await findFlightScans(db, requireSchoolOrNotFound(actor).schoolId, aircraft.id, scanIds);
  return { typed: enteredValues, unsent: parkedForm !== undefined, scans: toScanViews(scans) };
}

/** Reads the photo of a meter at the end of a flight, and leads back to the check-in with its reading filled in. */
export function handleEndPhoto(
  actor: Actor,
  form: FormData,
  flight: { id: number; aircraftId: number },
  meter: MeterFields,
) {
  const saveForm = async (filled: Draft) => {
    await saveDraft(db, actor.id, checkInDraftKey(flight.id), Object.entries({ ...textFieldsOf(form), ...filled }));
    return `${paths.checkIn(flight.id)}?read=${meter.name}`;
  };
  return handlePhotoRead({ pilot: requireSchool(actor), form, aircraftId: flight.aircraftId, meter, saveForm });
}

/** Keeps what stands in the form of the pilot's own flight. Throws as the page does, and 'conflict' once completed. */
export async function saveCheckInDraft(actor: Actor, id: string | undefined, form: FormData): Promise<void> {
  const own = await assertOwnFlight(actor, id);
  if (own.completed) throw new AppError('conflict', texts.alreadyCompleted);
  await saveDraft(db, actor.id, checkInDraftKey(own.id), Object.entries(textFieldsOf(form)));
}

/** '0 hours' to '3 hours' (spec §9). */
export const GROUND_SCHOOL_OPTIONS = GROUND_SCHOOL_TIMES.map((hours) => ({
  value: hours,
  label: hours === '1' ? '1 hour' : `${hours} hours`,
}));

/** Throws as the check-in page does, where nothing could be completed whatever the form says (C33). */
export async function assertOwnFlight(actor: Actor, id: string | undefined) {
  const flightLogId = parseId(id);
  if (flightLogId === undefined) throw flightNotFound();
  const log = await assertCompletable(db, requireSchool(actor), flightLogId).catch(toPageError);
  return { id: flightLogId, aircraftId: log.aircraft_id, completed: log.completed_at !== null };
}

async function findOwnFlight(pilot: Member, id: string | undefined) {
  const own = await assertOwnFlight(pilot, id);
  if (own.completed) throw new AppError('conflict', texts.alreadyCompleted);
  const log = await findFlightLog(db, pilot.schoolId, own.id);
  if (!log) throw flightNotFound();
  return log;
}

// A user without a school has no flights: nothing here is theirs to find (C36).
function requireSchoolOrNotFound(actor: Actor): Member {
  if (actor.schoolId === null) throw flightNotFound();
  return requireSchool(actor);
}

function toPageError(error: unknown): never {
  throw error instanceof AppError && error.code === 'notFound' ? flightNotFound() : error;
}

function flightNotFound(): AppError {
  return new AppError('notFound', 'Could not find flight log. Please try again.');
}
