import { conflictText } from '#app/features/flights/conflict-text.ts';
import { authedFormAction, authedLoader } from '#app/server/screen.server.ts';
import { loadFlightToChange } from '#app/features/flights/flight-summary.server.ts';
import { ConflictPage } from '#app/ui/page/error-page.tsx';
import { data } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ButtonLink } from '#app/ui/button.tsx';
import type { MeterFieldName } from '#app/features/meters/end-readings/meter-fields.tsx';
import { Actions, Stack } from '#app/ui/layout.tsx';
import { ErrorSummary } from '#app/ui/forms/error-summary.tsx';
import { blankTimesAsNull } from '#app/features/flights/blank-times.server.ts';
import { loadInstructorOptions } from '#app/features/flights/form/instructor-options.server.ts';
import { RecordedFields } from '#app/features/flights/form/recorded-fields.tsx';
import { GROUND_SCHOOL_OPTIONS } from '#app/features/flights/ground-school-options.server.ts';
import { MAX_PHOTO_FORM_BYTES } from '#app/limits.ts';
import { FlightCard } from '#app/features/flights/flight-card.tsx';
import { RequestId } from '#app/ui/forms/hidden-field.tsx';
import { PostForm } from '#app/ui/forms/post-form.tsx';
import { reviewInvalidForm } from '#app/features/meters/end-readings/review-invalid-form.server.ts';
import { Screen } from '#app/ui/page/screen.tsx';
import { FlightTrail } from '#app/ui/page/trail.tsx';
import { SubmitButton } from '#app/ui/forms/submit-button.tsx';
import { useForm } from '#app/ui/hooks/use-form.ts';
import { pageTitle, useToast } from '#app/ui/hooks/use-root-data.ts';
import { db } from '#app/server/db.server.ts';
import {
  type CheckInField,
  closeFlightFormSchema,
  confirmationsOf,
  toCloseFlightInput,
} from '#app/domain/flights/recorded-form-schema.server.ts';
import { assertClosable, closeFlight } from '#app/domain/flights/close-flight.server.ts';
import { findFlightRow } from '#app/domain/flights/queries.server.ts';
import { findEndContext } from '#app/domain/readings/end-context.server.ts';
import { texts } from '#app/domain/texts.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { paths } from '#app/paths.ts';

export { clientAction } from '#app/ui/forms/keep-form-on-network-error.ts';

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
  const toast = useToast(reply);
  const conflictNow = conflictText(conflict, reply);
  if (conflictNow !== null) return <ConflictPage text={conflictNow} />;
  return (
    <Screen
      title="Close on behalf"
      showBackLink
      trail={<FlightTrail id={flight.id} page="Close" />}
      beforeTitle={<ErrorSummary form={form} />}
      toast={toast}
      width="form"
    >
      <p>{`For a flight that is over and that ${flight.pilot} has not checked in. ${flight.pilot} is told by mail.`}</p>
      <FlightCard flight={flight} />
      <PostForm id={form.id} encType="multipart/form-data">
        <RequestId value={requestId} />
        <Stack>
          <RecordedFields
            formId={form.id}
            fields={fields}
            meters={{ context }}
            times={{ checkedOutAt: flight.checkedOutAt }}
            instruction={{ instructors, groundSchoolTimes }}
            report={fields}
            reason={fields.reason}
          />
          <Actions>
            <SubmitButton pendingLabel="Closing...">Close flight</SubmitButton>
            <ButtonLink to={paths.flightPage(flight.id)}>Back</ButtonLink>
          </Actions>
        </Stack>
      </PostForm>
    </Screen>
  );
}
