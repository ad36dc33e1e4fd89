import { conflictText, FlightConflict } from '#app/features/flights/flight-conflict.tsx';
import { authedAction, authedLoader } from '#app/server/screen.server.ts';
import { useActionData, useLoaderData } from '@remix-run/react';
import type { MeterFieldName } from '#app/features/meters/end-readings/meter-fields.tsx';
import { FlightRecordFields } from '#app/features/flights/form/flight-record-fields.tsx';
import { MAX_PHOTO_FORM_BYTES } from '#app/limits.ts';
import { FlightCard } from '#app/features/flights/flight-card.tsx';
import { FormScreen } from '#app/ui/page/form-screen.tsx';
import { FlightTrail } from '#app/ui/page/trail.tsx';
import { useForm } from '#app/ui/forms/form.tsx';
import { createTitleMeta } from '#app/ui/page/screen.tsx';
import { handleClosing, loadFlightToClose } from './close-flight.server.ts';
import type { CheckInField } from '#app/domain/flights/recorded-form-schema.server.ts';
import { texts } from '#app/domain/texts.ts';
import { paths } from '#app/paths.ts';

export { clientAction } from '#app/ui/forms/form.tsx';

export { GoneBoundary as ErrorBoundary } from '#app/ui/page/gone-boundary.tsx';

export const meta = createTitleMeta('Close on behalf');

const guard = { can: 'close flights on behalf', ids: { id: texts.flightLogNotFound } } as const;

export const loader = authedLoader({ ...guard, load: ({ actor, params }) => loadFlightToClose(actor, params.id) });

export const action = authedAction({ ...guard, limit: MAX_PHOTO_FORM_BYTES, handle: handleClosing });

export default function CloseOnBehalf() {
  const { flight, context, instructors, groundSchoolTimes, conflict, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<Record<CheckInField | MeterFieldName | 'reason', unknown>>({
    id: 'close',
    lastResult: reply?.result,
    defaultValue: { departedAt: flight.departedAt, groundSchoolTime: '0' },
  });
  const conflictNow = conflictText(conflict, reply);
  if (conflictNow !== null) return <FlightConflict flight={flight} text={`409: ${conflictNow}`} reply={reply} />;
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
      <FlightRecordFields
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
