import { redirect } from '@remix-run/node';
import { z } from 'zod';
import type { Actor, Member } from '#app/domain/actor.ts';
import { conditionSuffix } from '#app/domain/aircraft/condition.ts';
import type { Aircraft } from '#app/domain/aircraft/schema.server.ts';
import { findFleet, findLastReadings } from '#app/domain/aircraft/queries.server.ts';
import type { Draft, SavedDraft } from '#app/domain/drafts.server.ts';
import {
  assertStartConfirmed,
  type CheckOutDraft,
  type CheckOutFormValues,
  findCheckOutDraft,
  findReview,
  saveDeparture,
  saveSelectedAircraft,
  saveReadings,
} from '#app/domain/flights/check-out-draft.server.ts';
import { findOpenFlights } from '#app/domain/flights/queries.server.ts';
import { startFlightSchema } from '#app/domain/flights/schema.server.ts';
import { assertStartable, startFlight } from '#app/domain/flights/start-flight.server.ts';
import { formatDate } from '#app/domain/format.server.ts';
import { findNamesakeMarks, markedName } from '#app/domain/people/namesakes.server.ts';
import { schoolTimeInputSchema } from '#app/domain/times/school-time.server.ts';
import type { UnsentForms } from '#app/domain/typed-forms/typed-forms.server.ts';
import { TYPED_AT } from '#app/domain/typed-forms/field-names.ts';
import { fileValuesOf } from '#app/domain/typed-forms/file-names.server.ts';
import { toDueView } from '#app/features/aircraft/due-view.ts';
import { toSquawkView } from '#app/features/squawks/squawk-view.server.ts';
import {
  findMeterToRead,
  handlePhotoRead,
  type MeterFields,
  parseMeterJustRead,
  START_METERS,
  takeChoices,
  toScanViews,
} from '#app/features/meters/photo-form.server.ts';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { handleForm } from '#app/server/form-action.server.ts';
import { parseFormId, parseId } from '#app/server/ids.server.ts';
import { draftSince } from '#app/server/drafts.server.ts';
import { forgetForms, namelessAt } from '#app/server/parked-forms.server.ts';
import type { FormRequest } from '#app/server/form-action.server.ts';

export type StepIndex = 0 | 1 | 2;

const SAVE_FAILED = 'Failed to save flight log';
const MAX_VALUE_CHARACTERS = 20;

const STEP_FORMS = ['select-aircraft', 'read-meters', 'review'];

/** Finds what was posted for the requested step after the session had ended. */
export function findParkedStep(unsent: UnsentForms, url: URL): Draft | undefined {
  const forms = [unsent[STEP_FORMS[stepFromUrl(url)] ?? ''], unsent['']];
  return forms.find((form) => form?.isParked)?.values;
}

export async function loadStep(actor: Actor, url: URL, parkedForm?: Draft) {
  const step = stepFromUrl(url);
  const [openFlight] = await findOpenFlights(db, actor.schoolId, actor.id);
  const chosenId = parseId(url.searchParams.get('aircraftId') ?? undefined);
  const isSought = url.searchParams.has('check-in');
  if (openFlight && (isSought || openFlight.aircraft.id === chosenId)) throw redirect(paths.checkIn(openFlight.id));
  if (openFlight) return { step: 'in flight' as const, checkInPath: paths.checkIn(openFlight.id) };
  const checkOutDraft = await findCheckOutDraft(db, actor, step === 0 ? undefined : parkedForm);
  if (step === 1)
    return { step, checkOutDraft, scans: toScanViews(checkOutDraft.scans), meterJustRead: parseMeterJustRead(url) };
  if (step === 2) return { step, checkOutDraft, review: await loadReview(actor, checkOutDraft) };
  const fleet = await findFleet(db, actor.schoolId);
  const selectedAircraftId = parkedForm?.aircraftId ?? String(chosenId ?? checkOutDraft.aircraft?.id ?? '');
  return { step, aircraftOptions: fleet.map(toOption), selectedAircraftId };
}

type StepRequest = FormRequest & { actor: Member };

export function handleStep(context: StepRequest) {
  const handlers = { 0: handleAircraft, 1: handleReadings, 2: handleStart };
  return handlers[stepFromUrl(context.url)](context);
}

function handleAircraft(context: StepRequest) {
  return handleForm(context, {
    schema: startFlightSchema.pick({ aircraftId: true }).strip(),
    failed: SAVE_FAILED,
    run: async ({ actor, input: { aircraftId } }) => {
      await assertStartable(db, actor, aircraftId);
      await saveSelectedAircraft(db, actor, aircraftId);
      return redirectToStep(1);
    },
  });
}

async function handleReadings(context: StepRequest) {
  const { actor, form } = context;
  takeChoices(form, START_METERS);
  const meter = findMeterToRead(form, START_METERS);
  if (meter) return handlePhoto(context, meter);
  const intent = form.get('intent');
  if (intent === 'use-last-hobbs' || intent === 'use-last-tach') return fillLastReading(context, intent);
  if (intent === 'back') {
    await saveReadings(db, actor, readFormValues(form));
    return redirectToStep(0);
  }
  return handleForm(context, {
    schema: startFlightSchema.omit({ status: true, departedAt: true }).strip(),
    failed: SAVE_FAILED,
    precheck: assertFormAircraftStartable,
    run: async ({ input }) => {
      await assertStartable(db, actor, input.aircraftId);
      await saveReadings(db, actor, { ...toText(input), [TYPED_AT]: typedAtOf(form) });
      return redirectToStep(2);
    },
  });
}

/** Saves the form as a draft, unless the pilot has started a flight. */
export async function saveCheckOutDraft(pilot: Member, form: FormData): Promise<SavedDraft> {
  const [openFlight] = await findOpenFlights(db, pilot.schoolId, pilot.id);
  if (openFlight) return { savedAt: null, other: null };
  const [values, since] = [readFormValues(form), draftSince(form)];
  const departedAt = form.get('departedAt');
  if (departedAt === null) return saveReadings(db, pilot, values, since);
  const departure = { ...values, departedAt: String(departedAt).slice(0, MAX_VALUE_CHARACTERS) };
  return saveDeparture(db, pilot, departure, since);
}

async function handlePhoto({ actor, form }: StepRequest, meter: MeterFields) {
  const values = readFormValues(form);
  const saveForm = async (scanned: CheckOutFormValues) => {
    await saveReadings(db, actor, { ...values, ...scanned });
    return `${paths.checkOutStep(1)}&read=${meter.name}`;
  };
  return handlePhotoRead({ pilot: actor, form, aircraftId: parseId(values.aircraftId) ?? 0, meter, saveForm });
}

async function fillLastReading({ actor, form }: StepRequest, intent: 'use-last-hobbs' | 'use-last-tach') {
  const values = readFormValues(form);
  const last = await findLastReadings(db, actor.schoolId, parseId(values.aircraftId) ?? 0);
  if (intent === 'use-last-hobbs' && last.hobbs) values.startHobbsTime = last.hobbs.value;
  if (intent === 'use-last-tach' && last.tach) values.startTachTime = last.tach.value;
  await saveReadings(db, actor, values);
  return redirectToStep(1);
}

const REVIEW_FIELDS = {
  departedAt: schoolTimeInputSchema,
  readAgain: z.boolean().optional(),
  unsafeRead: z.boolean().optional(),
  unsafeIds: z.string().optional(),
  overdueRead: z.boolean().optional(),
  overdueIds: z.string().optional(),
  deferralsRead: z.boolean().optional(),
  deferralIds: z.string().optional(),
};

function handleStart(context: StepRequest) {
  return handleForm(context, {
    schema: startFlightSchema.omit({ status: true }).extend(REVIEW_FIELDS).strip(),
    failed: SAVE_FAILED,
    precheck: assertFormAircraftStartable,
    run: async ({ actor, input: allFields, requestId }) => {
      const { readAgain, unsafeRead, unsafeIds, overdueRead, overdueIds, ...others } = allFields;
      const { deferralsRead, deferralIds, ...input } = others;
      const ticks = { readAgain, unsafeRead, unsafeIds, overdueRead, overdueIds, deferralsRead, deferralIds };
      try {
        await assertStartConfirmed(db, actor, input, ticks);
        await startFlight(db, actor, input, requestId);
      } catch (error) {
        // Another tab may have changed the draft: the page must come back with what this form reviewed.
        await saveReadings(db, actor, { departedAt: '', ...toText(input) });
        throw error;
      }
      const steps = STEP_FORMS.flatMap((id, step) => [
        `${paths.checkOut}#${id}`,
        namelessAt(new URL(paths.checkOutStep(step), context.url)),
      ]);
      await forgetForms(db, actor, context, steps);
      const toast = successToast('Flight Log Created', 'Your flight has been logged. Have a safe flight!');
      return redirectWithToast(paths.dashboard, toast);
    },
  });
}

function stepFromUrl(url: URL): StepIndex {
  const step = url.searchParams.get('step');
  return step === '1' ? 1 : step === '2' ? 2 : 0;
}

async function assertFormAircraftStartable({ actor, form }: StepRequest): Promise<void> {
  const aircraftId = parseFormId(form, 'aircraftId');
  if (aircraftId !== undefined) await assertStartable(db, actor, aircraftId);
}

function redirectToStep(step: StepIndex): Response {
  return redirect(paths.checkOutStep(step), 303);
}

function readFormValues(form: FormData) {
  const text = (name: string) => String(form.get(name) ?? '').slice(0, MAX_VALUE_CHARACTERS);
  return {
    aircraftId: text('aircraftId'),
    startHobbsTime: text('startHobbsTime'),
    startTachTime: text('startTachTime'),
    startHobbsScan: text('startHobbsScan'),
    startTachScan: text('startTachScan'),
    ...fileValuesOf(form),
    [TYPED_AT]: typedAtOf(form),
  };
}

function typedAtOf(form: FormData): string {
  return String(form.get(TYPED_AT) ?? '').slice(0, MAX_VALUE_CHARACTERS);
}

function toText(values: Record<string, string | number | null | undefined>): CheckOutFormValues {
  const entries = Object.entries(values).filter(([, value]) => value != null);
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

async function loadReview(actor: Actor, checkOutDraft: CheckOutDraft) {
  const review = await findReview(db, actor, checkOutDraft);
  if (!review) return null;
  const { recentNotes, warnings, ...readings } = review;
  const marks = await findNamesakeMarks(db, actor);
  const shownIds = warnings.squawks.map(({ flightLogId }) => flightLogId);
  return {
    ...readings,
    squawks: warnings.squawks.map((squawk) => toSquawkView(squawk, actor, marks)),
    hasRecentNotes: recentNotes.length > 0,
    recentNotes: recentNotes
      .filter(({ id }) => !shownIds.includes(id))
      .map(({ id, notes, pilot_id: pilotId, username, completed_at: completedAt }) => ({
        id,
        notes,
        by: markedName(marks, { id: pilotId, username }),
        on: completedAt && formatDate(completedAt, actor.timeZone),
      })),
    due: warnings.due.map(toDueView),
    unsafe: warnings.unsafe,
    overdue: warnings.overdue,
    deferralsOver: warnings.deferralsOver,
  };
}

function toOption({ id, tailNumber, make, model, status, condition }: Aircraft) {
  const suffixes = { maintenance: ' [Maintenance]', checked_out: ' [Checked Out]' };
  const name = status ? tailNumber : tailNumber + conditionSuffix(condition);
  const suffix = status ? suffixes[status] : '';
  return { value: String(id), label: `${name} · ${make} ${model}${suffix}`, disabled: status !== null };
}
