import { data } from '@remix-run/node';
import type { Member } from '#app/domain/actor.ts';
import { assertClosable, closeFlight } from '#app/domain/flights/end-flight.server.ts';
import { requireFlightRow } from '#app/domain/flights/queries.server.ts';
import {
  closeFlightFormSchema,
  confirmationsOf,
  toCloseFlightInput,
} from '#app/domain/flights/recorded-form-schema.server.ts';
import { findEndReadingBaseline } from '#app/domain/readings/end-context.server.ts';
import {
  blankTimesAsNull,
  type FlightFormRequest,
  keepNotesOnConflict,
  loadFlightToChange,
} from '#app/features/flights/flight-summary.server.ts';
import { GROUND_SCHOOL_OPTIONS, loadInstructorOptions } from '#app/features/flights/form/instructor-options.server.ts';
import { throwFormAndReadingErrors } from '#app/features/meters/end-readings/review-invalid-form.server.ts';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { handleForm } from '#app/server/screen.server.ts';

export async function loadFlightToClose(actor: Member, id: number) {
  const { data: page, init } = await loadFlightToChange(actor, id, () => assertClosable(db, actor, id));
  const context = await findEndReadingBaseline(db, await requireFlightRow(db, actor, id));
  const instructors = await loadInstructorOptions(actor);
  return data({ ...page, context, instructors, groundSchoolTimes: GROUND_SCHOOL_OPTIONS }, init ?? {});
}

export function handleClosing(context: FlightFormRequest) {
  return keepNotesOnConflict(context, () =>
    handleForm(context, {
      schema: closeFlightFormSchema,
      failed: 'Failed to close flight',
      precheck: async ({ actor, params, form }) =>
        throwFormAndReadingErrors(await assertClosable(db, actor, params.id), form, closeFlightFormSchema),
      run: async ({ actor, params, form, input: entered, requestId }) => {
        const input = { ...(await toCloseFlightInput(entered)), ...blankTimesAsNull(form) };
        await closeFlight(db, actor, params.id, input, requestId, confirmationsOf(entered));
        return redirectWithToast(paths.flightPage(params.id), successToast('Flight closed'));
      },
    }),
  );
}
