import type { Actor } from '#app/domain/actor.ts';
import { AppError } from '#app/domain/app-error.ts';
import { assertCompletable, completeFlight } from '#app/domain/flights/end-flight.server.ts';
import { checkInDraftKey } from '#app/domain/flights/record-end.server.ts';
import {
  checkInFormSchema,
  confirmationsOf,
  toCompleteFlightInput,
} from '#app/domain/flights/recorded-form-schema.server.ts';
import type { FlightLog } from '#app/domain/flights/schema.server.ts';
import { shortHours } from '#app/domain/reading.ts';
import { texts } from '#app/domain/texts.ts';
import {
  blankTimesAsNull,
  type FlightFormRequest,
  keepNotesOnConflict,
} from '#app/features/flights/flight-summary.server.ts';
import { throwFormAndReadingErrors } from '#app/features/meters/end-readings/review-invalid-form.server.ts';
import {
  END_METERS,
  findMeterToRead,
  handlePhotoRead,
  fillInChosenReadings,
} from '#app/features/meters/photo-form.server.ts';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { handleForm } from '#app/server/screen.server.ts';

export function handleCheckIn(context: FlightFormRequest) {
  return keepNotesOnConflict(context, () => readOrComplete(context));
}

async function readOrComplete(context: FlightFormRequest) {
  fillInChosenReadings(context.form, END_METERS);
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
      throwFormAndReadingErrors(await assertOpenOwnFlight(actor, params.id), form, checkInFormSchema),
    run: async ({ actor, params, form, input, requestId }) => {
      const completion = { ...(await toCompleteFlightInput(input)), ...blankTimesAsNull(form) };
      const ticks = confirmationsOf(input);
      const log = await completeFlight(db, actor, params.id, completion, requestId, ticks).catch(toPageError);
      return redirectWithToast(paths.dashboard, successToast('Flight completed successfully', flownText(log)));
    },
  });
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
