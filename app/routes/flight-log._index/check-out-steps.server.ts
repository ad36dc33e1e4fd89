import { redirect } from '@remix-run/node';
import { z } from 'zod';
import { db } from '#app/server/db.server.ts';
import { type Actor, asMember, type Member } from '#app/domain/actor.ts';
import { findFleet, findLastReadings } from '#app/domain/aircraft/queries.server.ts';
import type { Draft } from '#app/domain/drafts.server.ts';
import {
  assertReadAgain,
  findCheckOut,
  keepAircraft,
  keepReadings,
  reviewOf,
} from '#app/domain/flights/check-out-draft.server.ts';
import { startFlightFields } from '#app/domain/flights/schema.server.ts';
import { findOpenFlights } from '#app/domain/flights/queries.server.ts';
import { assertStartable, startFlight } from '#app/domain/flights/start-flight.server.ts';
import { day } from '#app/domain/format.server.ts';
import { paths } from '#app/paths.ts';
import type { Choices } from '#app/domain/flights/check-out-draft.ts';
import { redirectWith, success } from '#app/server/flash.server.ts';
import { settle } from '#app/server/form-action.server.ts';
import { idFrom, idIn } from '#app/server/ids.server.ts';
import { justRead, type MeterFields, photoToRead, readPhoto, shownScans, START_METERS } from '#app/features/meters/photo-form.server.ts';
import { dropUnsent } from '#app/server/parked-forms.server.ts';

export type StepNumber = 0 | 1 | 2;

const FAILED = { failed: 'Failed to save flight log' };

/** The step that `?step=` names; the first for anything else. */
function stepOf(url: URL): StepNumber {
  const step = url.searchParams.get('step');
  return step === '1' ? 1 : step === '2' ? 2 : 0;
}

/** What a step of the wizard shows to this user, who may be without a school (C36). */
export async function viewOf(actor: Actor, url: URL, unsent?: Draft) {
  const step = stepOf(url);
  if (actor.schoolId === null) return step === 0 ? { step, fleet: [], chosen: '' } : nothingChosen(step);
  const pilot = asMember(actor);
  const [own] = await findOpenFlights(db, pilot.schoolId, pilot.id);
  if (own) return { step: 'in flight' as const, checkIn: paths.checkIn(own.id) };
  const checkOut = await findCheckOut(db, pilot, step === 0 ? undefined : unsent);
  if (step === 1) return { step, checkOut, scans: shownScans(checkOut.scans), filled: justRead(url) };
  if (step === 2) return { step, checkOut, review: await shownReview(actor, checkOut) };
  const fleet = await findFleet(db, pilot.schoolId);
  return { step, fleet: fleet.map(toOption), chosen: unsent?.aircraftId ?? String(checkOut.aircraft?.id ?? '') };
}

interface StepPost {
  actor: Actor;
  form: FormData;
  url: URL;
}

/** Takes what a step of the wizard posted, and leads on to the next one. */
export function takeStep(post: StepPost) {
  const steps = { 0: takeAircraft, 1: takeReadings, 2: takeStart };
  return steps[stepOf(post.url)](post);
}

function takeAircraft({ actor, form }: StepPost) {
  return settle(form, startFlightFields.pick({ aircraftId: true }), FAILED, async ({ aircraftId }) => {
    const pilot = asMember(actor);
    await assertStartable(db, pilot, aircraftId);
    await keepAircraft(db, pilot, aircraftId);
    return leadTo(1);
  });
}

async function takeReadings({ actor, form }: StepPost) {
  const meter = photoToRead(form, START_METERS);
  if (meter) return takePhoto(actor, form, meter);
  const intent = form.get('intent');
  if (intent === 'use-last-hobbs' || intent === 'use-last-tach') return takeLastReading(actor, form, intent);
  if (intent === 'back') {
    await keepReadings(db, asMember(actor), typed(form));
    return leadTo(0);
  }
  const settling = { ...FAILED, before: () => assertNamedStartable(actor, form) };
  return settle(form, startFlightFields.omit({ status: true }), settling, async ({ aircraftId, ...readings }) => {
    const pilot = asMember(actor);
    await assertStartable(db, pilot, aircraftId);
    await keepReadings(db, pilot, asText({ aircraftId, ...readings }));
    return leadTo(2);
  });
}

/** Keeps what stands in the form of step 2; a pilot who has taken off meanwhile keeps nothing. */
export async function keepCheckOut(pilot: Member, form: FormData): Promise<void> {
  const [own] = await findOpenFlights(db, pilot.schoolId, pilot.id);
  if (!own) await keepReadings(db, pilot, typed(form));
}

async function takePhoto(actor: Actor, form: FormData, meter: MeterFields) {
  const pilot = asMember(actor);
  const choices = typed(form);
  const keep = async (filled: Choices) => {
    await keepReadings(db, pilot, { ...choices, ...filled });
    return `${paths.checkOutStep(1)}&read=${meter.name}`;
  };
  return readPhoto({ pilot, form, aircraftId: idFrom(choices.aircraftId) ?? 0, meter, keep });
}

async function takeLastReading(actor: Actor, form: FormData, intent: 'use-last-hobbs' | 'use-last-tach') {
  const pilot = asMember(actor);
  const choices = typed(form);
  const last = await findLastReadings(db, pilot.schoolId, idFrom(choices.aircraftId) ?? 0);
  if (intent === 'use-last-hobbs' && last.hobbs) choices.startHobbsTime = last.hobbs.value;
  if (intent === 'use-last-tach' && last.tach) choices.startTachTime = last.tach.value;
  await keepReadings(db, pilot, choices);
  return leadTo(1);
}

function takeStart({ actor, form, url }: StepPost) {
  const fields = startFlightFields.omit({ status: true }).extend({ readAgain: z.boolean().optional() });
  const settling = { ...FAILED, before: () => assertNamedStartable(actor, form) };
  return settle(form, fields, settling, async ({ readAgain = false, ...input }, requestId) => {
    const pilot = asMember(actor);
    try {
      await assertReadAgain(db, pilot, input, readAgain);
      await startFlight(db, pilot, input, requestId);
    } catch (error) {
      // The page comes back with what this form reviewed, whatever another tab has chosen meanwhile.
      await keepReadings(db, pilot, asText(input));
      throw error;
    }
    for (const step of [0, 1, 2]) await dropUnsent(db, actor, new URL(paths.checkOutStep(step), url));
    return redirectWith(
      paths.dashboard,
      success('Flight Log Created', 'Your flight has been logged. Have a safe flight!'),
    );
  });
}

/** Whether the aircraft that a form names is there and free is said before what is wrong with its fields (C33). */
async function assertNamedStartable(actor: Actor, form: FormData) {
  const pilot = asMember(actor);
  const aircraftId = idIn(form, 'aircraftId');
  if (aircraftId !== undefined) await assertStartable(db, pilot, aircraftId);
}

function leadTo(step: StepNumber): Response {
  return redirect(paths.checkOutStep(step), 303);
}

function typed(form: FormData) {
  const text = (name: string) => String(form.get(name) ?? '').slice(0, 20);
  return {
    aircraftId: text('aircraftId'),
    startHobbsTime: text('startHobbsTime'),
    startTachTime: text('startTachTime'),
    startHobbsScan: text('startHobbsScan'),
    startTachScan: text('startTachScan'),
  };
}

function asText(choices: Record<string, string | number | undefined>): Choices {
  const given = Object.entries(choices).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

function nothingChosen(step: 1 | 2) {
  const none = { hobbs: null, tach: null };
  const checkOut = { aircraft: null, startHobbsTime: '', startTachTime: '', scans: none, last: none, flownSince: false };
  return step === 1 ? { step, checkOut, scans: none, filled: null } : { step, checkOut, review: null };
}

async function shownReview(actor: Actor, checkOut: Awaited<ReturnType<typeof findCheckOut>>) {
  const review = await reviewOf(db, asMember(actor), checkOut);
  if (!review) return null;
  const squawks = review.squawks.map(({ id, notes, username, completed_at: completedAt }) => ({
    id,
    notes,
    by: username,
    on: completedAt && day(completedAt, actor.timeZone),
  }));
  return { ...review, squawks };
}

function toOption({ id, tailNumber, make, model, status }: Awaited<ReturnType<typeof findFleet>>[number]) {
  const marks = { maintenance: ' [Maintenance]', checked_out: ' [Checked Out]' };
  const label = `${tailNumber} · ${make} ${model}`;
  return { value: String(id), label: status ? label + marks[status] : label, disabled: status !== null };
}
