import { redirect } from '@remix-run/node';
import { z } from 'zod';
import { db } from '#app/server/db.server.ts';
import { type Actor, requireSchool, type Member } from '#app/domain/actor.ts';
import { findFleet, findLastReadings } from '#app/domain/aircraft/queries.server.ts';
import type { Draft } from '#app/domain/drafts.server.ts';
import {
  assertDifferencesConfirmed,
  findCheckOutDraft,
  saveAircraftChoice,
  saveReadings,
  findReview,
} from '#app/domain/flights/check-out-draft.server.ts';
import { startFlightSchema } from '#app/domain/flights/schema.server.ts';
import { findOpenFlights } from '#app/domain/flights/queries.server.ts';
import { assertStartable, startFlight } from '#app/domain/flights/start-flight.server.ts';
import { formatDate } from '#app/domain/format.server.ts';
import { paths } from '#app/paths.ts';
import type { CheckOutChoices } from '#app/domain/flights/check-out-draft.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { handleForm } from '#app/server/form-action.server.ts';
import { parseId, parseFormId } from '#app/server/ids.server.ts';
import {
  meterJustRead,
  type MeterFields,
  findMeterToRead,
  handlePhotoRead,
  toScanViews,
  START_METERS,
} from '#app/features/meters/photo-form.server.ts';
import { deleteParkedForm } from '#app/server/parked-forms.server.ts';

export type StepIndex = 0 | 1 | 2;

const SAVE_FAILED = { failed: 'Failed to save flight log' };

/** The step that `?step=` names; the first for anything else. */
function stepFromUrl(url: URL): StepIndex {
  const step = url.searchParams.get('step');
  return step === '1' ? 1 : step === '2' ? 2 : 0;
}

/** What a step of the wizard shows to this user, who may be without a school (C36). */
export async function loadStep(actor: Actor, url: URL, unsent?: Draft) {
  const step = stepFromUrl(url);
  if (actor.schoolId === null) return step === 0 ? { step, fleet: [], chosen: '' } : emptyStep(step);
  const pilot = requireSchool(actor);
  const [own] = await findOpenFlights(db, pilot.schoolId, pilot.id);
  if (own) return { step: 'in flight' as const, checkIn: paths.checkIn(own.id) };
  const checkOut = await findCheckOutDraft(db, pilot, step === 0 ? undefined : unsent);
  if (step === 1) return { step, checkOut, scans: toScanViews(checkOut.scans), filled: meterJustRead(url) };
  if (step === 2) return { step, checkOut, review: await toReviewView(actor, checkOut) };
  const fleet = await findFleet(db, pilot.schoolId);
  return { step, fleet: fleet.map(toOption), chosen: unsent?.aircraftId ?? String(checkOut.aircraft?.id ?? '') };
}

interface StepPost {
  actor: Actor;
  form: FormData;
  url: URL;
}

/** Takes what a step of the wizard posted, and leads on to the next one. */
export function handleStep(post: StepPost) {
  const steps = { 0: handleAircraft, 1: handleReadings, 2: handleStart };
  return steps[stepFromUrl(post.url)](post);
}

function handleAircraft({ actor, form }: StepPost) {
  return handleForm(form, startFlightSchema.pick({ aircraftId: true }), SAVE_FAILED, async ({ aircraftId }) => {
    const pilot = requireSchool(actor);
    await assertStartable(db, pilot, aircraftId);
    await saveAircraftChoice(db, pilot, aircraftId);
    return redirectToStep(1);
  });
}

async function handleReadings({ actor, form }: StepPost) {
  const meter = findMeterToRead(form, START_METERS);
  if (meter) return handlePhoto(actor, form, meter);
  const intent = form.get('intent');
  if (intent === 'use-last-hobbs' || intent === 'use-last-tach') return fillLastReading(actor, form, intent);
  if (intent === 'back') {
    await saveReadings(db, requireSchool(actor), readChoices(form));
    return redirectToStep(0);
  }
  const formOptions = { ...SAVE_FAILED, precheck: () => assertFormAircraftStartable(actor, form) };
  return handleForm(
    form,
    startFlightSchema.omit({ status: true }),
    formOptions,
    async ({ aircraftId, ...readings }) => {
      const pilot = requireSchool(actor);
      await assertStartable(db, pilot, aircraftId);
      await saveReadings(db, pilot, toText({ aircraftId, ...readings }));
      return redirectToStep(2);
    },
  );
}

/** Keeps what stands in the form of step 2; a pilot who has taken off meanwhile keeps nothing. */
export async function saveCheckOutDraft(pilot: Member, form: FormData): Promise<void> {
  const [own] = await findOpenFlights(db, pilot.schoolId, pilot.id);
  if (!own) await saveReadings(db, pilot, readChoices(form));
}

async function handlePhoto(actor: Actor, form: FormData, meter: MeterFields) {
  const pilot = requireSchool(actor);
  const choices = readChoices(form);
  const saveForm = async (filled: CheckOutChoices) => {
    await saveReadings(db, pilot, { ...choices, ...filled });
    return `${paths.checkOutStep(1)}&read=${meter.name}`;
  };
  return handlePhotoRead({ pilot, form, aircraftId: parseId(choices.aircraftId) ?? 0, meter, saveForm });
}

async function fillLastReading(actor: Actor, form: FormData, intent: 'use-last-hobbs' | 'use-last-tach') {
  const pilot = requireSchool(actor);
  const choices = readChoices(form);
  const last = await findLastReadings(db, pilot.schoolId, parseId(choices.aircraftId) ?? 0);
  if (intent === 'use-last-hobbs' && last.hobbs) choices.startHobbsTime = last.hobbs.value;
  if (intent === 'use-last-tach' && last.tach) choices.startTachTime = last.tach.value;
  await saveReadings(db, pilot, choices);
  return redirectToStep(1);
}

function handleStart({ actor, form, url }: StepPost) {
  const fields = startFlightSchema.omit({ status: true }).extend({ readAgain: z.boolean().optional() });
  const settling = { ...SAVE_FAILED, precheck: () => assertFormAircraftStartable(actor, form) };
  return handleForm(form, fields, settling, async ({ readAgain = false, ...input }, requestId) => {
    const pilot = requireSchool(actor);
    try {
      await assertDifferencesConfirmed(db, pilot, input, readAgain);
      await startFlight(db, pilot, input, requestId);
    } catch (error) {
      // The page comes back with what this form reviewed, whatever another tab has chosen meanwhile.
      await saveReadings(db, pilot, toText(input));
      throw error;
    }
    for (const step of [0, 1, 2]) await deleteParkedForm(db, actor, new URL(paths.checkOutStep(step), url));
    return redirectWithToast(
      paths.dashboard,
      successToast('Flight Log Created', 'Your flight has been logged. Have a safe flight!'),
    );
  });
}

/** Whether the aircraft that a form names is there and free is said before what is wrong with its fields (C33). */
async function assertFormAircraftStartable(actor: Actor, form: FormData) {
  const pilot = requireSchool(actor);
  const aircraftId = parseFormId(form, 'aircraftId');
  if (aircraftId !== undefined) await assertStartable(db, pilot, aircraftId);
}

function redirectToStep(step: StepIndex): Response {
  return redirect(paths.checkOutStep(step), 303);
}

function readChoices(form: FormData) {
  const text = (name: string) => String(form.get(name) ?? '').slice(0, 20);
  return {
    aircraftId: text('aircraftId'),
    startHobbsTime: text('startHobbsTime'),
    startTachTime: text('startTachTime'),
    startHobbsScan: text('startHobbsScan'),
    startTachScan: text('startTachScan'),
  };
}

function toText(choices: Record<string, string | number | undefined>): CheckOutChoices {
  const given = Object.entries(choices).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

function emptyStep(step: 1 | 2) {
  const none = { hobbs: null, tach: null };
  const checkOut = {
    aircraft: null,
    startHobbsTime: '',
    startTachTime: '',
    scans: none,
    last: none,
    flownSince: false,
  };
  return step === 1 ? { step, checkOut, scans: none, filled: null } : { step, checkOut, review: null };
}

async function toReviewView(actor: Actor, checkOut: Awaited<ReturnType<typeof findCheckOutDraft>>) {
  const review = await findReview(db, requireSchool(actor), checkOut);
  if (!review) return null;
  const squawks = review.squawks.map(({ id, notes, username, completed_at: completedAt }) => ({
    id,
    notes,
    by: username,
    on: completedAt && formatDate(completedAt, actor.timeZone),
  }));
  return { ...review, squawks };
}

function toOption({ id, tailNumber, make, model, status }: Awaited<ReturnType<typeof findFleet>>[number]) {
  const marks = { maintenance: ' [Maintenance]', checked_out: ' [Checked Out]' };
  const label = `${tailNumber} · ${make} ${model}`;
  return { value: String(id), label: status ? label + marks[status] : label, disabled: status !== null };
}
