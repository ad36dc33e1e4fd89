import { redirect } from '@remix-run/node';
import { z } from 'zod';
import { assertCan, type Member } from '#app/domain/actor.ts';
import { findLastReadings } from '#app/domain/aircraft/queries.server.ts';
import { saveDraft } from '#app/domain/drafts.server.ts';
import { saveReviewDrafts, saveSelectedAircraft } from '#app/domain/flights/check-out-draft.server.ts';
import { findOpenFlights } from '#app/domain/flights/queries.server.ts';
import { startFlightSchema } from '#app/domain/flights/schema.server.ts';
import { assertStartable, CHECK_OUT_DRAFT_KEY, startFlight } from '#app/domain/flights/start-flight.server.ts';
import { schoolTimeInputSchema } from '#app/domain/times/school-time.server.ts';
import {
  findMeterToRead,
  handlePhotoRead,
  type MeterFields,
  START_METERS,
  fillInChosenReadings,
} from '#app/features/meters/photo-form.server.ts';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { handleForm } from '#app/server/screen.server.ts';
import { KeptFormAnswer, type FormRequest } from '#app/server/posted-forms.server.ts';
import { parseIdField } from '#app/server/query-values.server.ts';
import { type StepIndex, stepFromUrl } from './load-step.server.ts';

const SAVE_FAILED = 'Failed to save flight log';

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
  fillInChosenReadings(form, START_METERS);
  const meter = findMeterToRead(form, START_METERS);
  if (meter) return handlePhoto(context, meter);
  const intent = form.get('intent');
  if (intent === 'use-last-hobbs' || intent === 'use-last-tach') return fillLastReading(context, intent);
  if (intent === 'back') return keepReadings(actor, form, 0);
  return handleForm(context, {
    schema: startFlightSchema.omit({ status: true, departedAt: true }).strip(),
    failed: SAVE_FAILED,
    precheck: async () => {
      await assertFormAircraftStartable(context);
      await keepAircraft(context);
    },
    run: async ({ input }) => {
      await assertStartable(db, actor, input.aircraftId).catch(async (error: unknown) => {
        await keepAircraft(context);
        throw error;
      });
      // What is typed counts, and nobody is asked for the photos of it again.
      const unread = Object.fromEntries(START_METERS.map(({ photo }) => [photo, '']));
      return keepReadings(actor, form, 2, { ...input, ...unread });
    },
  });
}

/** The page must come back with the aircraft that this form is of, which a link or another tab has chosen. */
async function keepAircraft({ actor, form }: StepRequest): Promise<void> {
  const aircraftId = parseIdField(form, 'aircraftId');
  if (aircraftId !== undefined) await saveSelectedAircraft(db, actor, aircraftId);
}

async function keepReadings(actor: Member, form: FormData, next: StepIndex, readings: object = {}) {
  await saveDraft(db, actor, CHECK_OUT_DRAFT_KEY, [...form, ...Object.entries(readings)]);
  return new KeptFormAnswer(redirectToStep(next));
}

export async function hasNoOpenFlight(pilot: Member): Promise<boolean> {
  assertCan(pilot, 'check out aircraft');
  return (await findOpenFlights(db, pilot.schoolId, { userId: pilot.id })).length === 0;
}

function handlePhoto({ actor, form }: StepRequest, meter: MeterFields) {
  const aircraftId = parseIdField(form, 'aircraftId') ?? 0;
  const goOn = { draft: CHECK_OUT_DRAFT_KEY, to: `${paths.checkOutStep(1)}&read=${meter.name}` };
  return handlePhotoRead({ pilot: actor, form, aircraftId, meter, ...goOn });
}

async function fillLastReading({ actor, form }: StepRequest, intent: 'use-last-hobbs' | 'use-last-tach') {
  const last = await findLastReadings(db, actor.schoolId, parseIdField(form, 'aircraftId') ?? 0);
  return keepReadings(actor, form, 1, {
    ...(intent === 'use-last-hobbs' && last.hobbs && { startHobbsTime: last.hobbs.value }),
    ...(intent === 'use-last-tach' && last.tach && { startTachTime: last.tach.value }),
  });
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
        await startFlight(db, actor, input, requestId, ticks);
      } catch (error) {
        // The page must come back with what this form reviewed.
        await saveReviewDrafts(db, actor, context.form);
        throw error;
      }
      const toast = successToast('Flight Log Created', 'Your flight has been logged. Have a safe flight!');
      return redirectWithToast(paths.dashboard, toast);
    },
  });
}

async function assertFormAircraftStartable({ actor, form }: StepRequest): Promise<void> {
  const aircraftId = parseIdField(form, 'aircraftId');
  if (aircraftId !== undefined) await assertStartable(db, actor, aircraftId);
}

function redirectToStep(step: StepIndex): Response {
  return redirect(paths.checkOutStep(step), 303);
}
