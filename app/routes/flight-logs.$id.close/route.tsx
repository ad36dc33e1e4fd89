import { conflictText } from '#app/features/flights/conflict-text.ts';
import { authedFormAction, authedLoader } from '#app/server/screen.server.ts';
import { blankTimesAsNull, loadFlightToChange } from '#app/features/flights/flight-summary.server.ts';
import { ConflictPage } from '#app/ui/page/error-page.tsx';
import { data } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import type { MeterFieldName } from '#app/features/meters/end-readings/meter-fields.tsx';
import { GROUND_SCHOOL_OPTIONS, loadInstructorOptions } from '#app/features/flights/form/instructor-options.server.ts';
import { RecordedFields } from '#app/features/flights/form/recorded-fields.tsx';
import { MAX_PHOTO_FORM_BYTES } from '#app/limits.ts';
import { FlightCard } from '#app/features/flights/flight-card.tsx';
import { reviewInvalidForm } from '#app/features/meters/end-readings/review-invalid-form.server.ts';
import { FormScreen } from '#app/ui/page/form-screen.tsx';
import { FlightTrail } from '#app/ui/page/trail.tsx';
import { useForm } from '#app/ui/forms/form.tsx';
import { pageTitle } from '#app/ui/page/screen.tsx';
import { db } from '#app/server/db.server.ts';
import {
  type CheckInField,
  closeFlightFormSchema,
  confirmationsOf,
  toCloseFlightInput,
} from '#app/domain/flights/recorded-form-schema.server.ts';
import { assertClosable, closeFlight } from '#app/domain/flights/end-flight.server.ts';
import { findFlightRow } from '#app/domain/flights/queries.server.ts';
import { findEndContext } from '#app/domain/readings/end-context.server.ts';
import { texts } from '#app/domain/texts.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { paths } from '#app/paths.ts';

export { clientAction } from '#app/ui/forms/form.tsx';

export const meta = pageTitle('Close on behalf');

export const loader = authedLoader({
  can: 'close flights on behalf',
  ids: { id: texts.flightLogNotFound },
  load: async ({ actor, params }) => {
    const { data: page, init } = await loadFlightToChange(actor, params.id, () => assertClosable(db, actor, params.id));
    const context = await findEndContext(db, await findFlightRow(db, actor, params.id));
    const instructors = await loadInstructorOptions(actor);
    return data({ ...page, context, instructors, groundSchoolTimes: GROUND_SCHOOL_OPTIONS }, init ?? {});
  },
});

export const action = authedFormAction({
  can: 'close flights on behalf',
  ids: { id: texts.flightLogNotFound },
  schema: closeFlightFormSchema,
  limit: MAX_PHOTO_FORM_BYTES,
  failed: 'Failed to close flight',
  precheck: async ({ actor, params, form }) =>
    reviewInvalidForm(await assertClosable(db, actor, params.id), form, closeFlightFormSchema),
  run: async ({ actor, params, form, input: entered, requestId }) => {
    const input = { ...(await toCloseFlightInput(entered)), ...blankTimesAsNull(form) };
    await closeFlight(db, actor, params.id, input, requestId, confirmationsOf(entered));
    return redirectWithToast(paths.flightPage(params.id), successToast('Flight closed'));
  },
});

export default function CloseOnBehalf() {
  const { flight, context, instructors, groundSchoolTimes, conflict, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<Record<CheckInField | MeterFieldName | 'reason', unknown>>({
    id: 'close',
    lastResult: reply?.result,
    defaultValue: { departedAt: flight.departedAt, groundSchoolTime: '0' },
  });
  const conflictNow = conflictText(conflict, reply);
  if (conflictNow !== null) return <ConflictPage text={conflictNow} />;
  return (
    <FormScreen
      title="Close on behalf"
      trail={<FlightTrail id={flight.id} page="Close" />}
      notice={
        <>
          <p>{`For a flight that is over and that ${flight.pilot} has not checked in. ${flight.pilot} is told by mail.`}</p>
          <FlightCard flight={flight} />
        </>
      }
      form={form}
      reply={reply}
      requestId={requestId}
      encType="multipart/form-data"
      card={false}
      submit={{ label: 'Close flight', pending: 'Closing...' }}
      cancelTo={paths.flightPage(flight.id)}
      cancelLabel="Back"
    >
      <RecordedFields
        formId={form.id}
        fields={fields}
        meters={{ context }}
        times={{ checkedOutAt: flight.checkedOutAt }}
        instruction={{ instructors, groundSchoolTimes }}
        report={fields}
        reason={fields.reason}
      />
    </FormScreen>
  );
}
