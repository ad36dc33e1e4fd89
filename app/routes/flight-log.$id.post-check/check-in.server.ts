import type { Actor, Member } from '#app/domain/actor.ts';
import { AppError } from '#app/domain/app-error.ts';
import { findDraft, saveDraft } from '#app/domain/drafts.server.ts';
import { assertCompletable, completeFlight } from '#app/domain/flights/end-flight.server.ts';
import { checkInDraftKey } from '#app/domain/flights/record-end.server.ts';
import {
  checkInFormSchema,
  confirmationsOf,
  toCompleteFlightInput,
} from '#app/domain/flights/recorded-form-schema.server.ts';
import { findFlightRow } from '#app/domain/flights/queries.server.ts';
import type { FlightLog } from '#app/domain/flights/schema.server.ts';
import { shortHours } from '#app/domain/reading.ts';
import { texts } from '#app/domain/texts.ts';
import { blankTimesAsNull } from '#app/features/flights/flight-summary.server.ts';
import { reviewInvalidForm } from '#app/features/meters/end-readings/review-invalid-form.server.ts';
import { END_METERS, findMeterToRead, handlePhotoRead, takeChoices } from '#app/features/meters/photo-form.server.ts';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { handleForm } from '#app/server/screen.server.ts';
import type { FormRequest } from '#app/server/posted-forms.server.ts';

export type CheckInRequest = FormRequest & { actor: Member; params: { id: number } };

export async function handleCheckIn(context: CheckInRequest) {
  takeChoices(context.form, END_METERS);
  const meter = findMeterToRead(context.form, END_METERS);
  if (meter) {
    const { actor, form, params } = context;
    const { completed_at: completedAt, aircraft_id: aircraftId } = await assertOwnFlight(actor, params.id);
    const goOn = { draft: checkInDraftKey(params.id), to: `${paths.checkIn(params.id)}?read=${meter.name}` };
    if (!completedAt) return handlePhotoRead({ pilot: actor, form, aircraftId, meter, ...goOn });
  }
  return handleForm(context, {
    schema: checkInFormSchema,
    failed: 'Failed to complete flight',
    precheck: async ({ actor, params, form }) =>
      reviewInvalidForm(await assertOpenOwnFlight(actor, params.id), form, checkInFormSchema),
    run: async ({ actor, params, form, input, requestId }) => {
      const completion = { ...(await toCompleteFlightInput(input)), ...blankTimesAsNull(form) };
      const ticks = confirmationsOf(input);
      const log = await completeFlight(db, actor, params.id, completion, requestId, ticks).catch(toPageError);
      return redirectWithToast(paths.dashboard, successToast('Flight completed successfully', flownText(log)));
    },
  });
}

/** Keeps the notes of a flight that has ended meanwhile in the form that reports them. */
export async function keepNotes({ actor, params, form }: CheckInRequest): Promise<void> {
  const notes = form.get('notes');
  if (typeof notes !== 'string' || notes.trim() === '') return;
  const { aircraft_id: aircraftId } = await findFlightRow(db, actor, params.id);
  const name = `${paths.addSquawk(aircraftId)}#squawk`;
  const { values } = await findDraft(db, actor.id, name);
  const text = values?.text?.includes(notes) ? values.text : [values?.text, notes].filter(Boolean).join('\n');
  const unsafe = form.get('unsafe') ? 'on' : (values?.unsafe ?? '');
  await saveDraft(db, actor, name, Object.entries({ text, unsafe }));
}

function flownText({ hobbsHours, tachHours }: FlightLog): string {
  return `Hobbs ${shortHours(hobbsHours ?? '0')} h, tach ${shortHours(tachHours ?? '0')} h`;
}

/** Throws as the page does, and 'conflict' once the flight is completed. */
export async function assertOpenOwnFlight(actor: Actor, id: number) {
  const log = await assertOwnFlight(actor, id);
  if (log.completed_at) throw new AppError('conflict', texts.alreadyCompleted);
  return log;
}

function assertOwnFlight(actor: Actor, id: number) {
  return assertCompletable(db, actor, id).catch(toPageError);
}

function toPageError(error: unknown): never {
  throw error instanceof AppError && error.code === 'notFound'
    ? new AppError('notFound', texts.checkInNotFound)
    : error;
}
