import { conflictText, FlightConflict } from '#app/features/flights/flight-conflict.tsx';
import { authedFormAction, authedLoader } from '#app/server/screen.server.ts';
import { loadFlightToChange } from '#app/features/flights/flight-summary.server.ts';
import { useActionData, useLoaderData } from '@remix-run/react';
import { FlightCard } from '#app/features/flights/flight-card.tsx';
import { FormScreen } from '#app/ui/page/form-screen.tsx';
import { FlightTrail } from '#app/ui/page/trail.tsx';
import { TextArea } from '#app/ui/forms/fields.tsx';
import { useForm } from '#app/ui/forms/form.tsx';
import { createTitleMeta } from '#app/ui/page/screen.tsx';
import { db } from '#app/server/db.server.ts';
import { type CancelCheckOutInput, cancelCheckOutSchema } from '#app/domain/flights/schema.server.ts';
import { assertCancellable, cancelCheckOut } from '#app/domain/flights/cancel-check-out.server.ts';
import { texts } from '#app/domain/texts.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { paths } from '#app/paths.ts';

export { clientAction } from '#app/ui/forms/form.tsx';

export { GoneBoundary as ErrorBoundary } from '#app/ui/page/gone-boundary.tsx';

export const meta = createTitleMeta('Cancel check-out');

export const loader = authedLoader({
  can: 'anyRole',
  ids: { id: texts.flightLogNotFound },
  load: ({ actor, params }) => loadFlightToChange(actor, params.id, () => assertCancellable(db, actor, params.id)),
});

export const action = authedFormAction({
  can: 'anyRole',
  ids: { id: texts.flightLogNotFound },
  schema: cancelCheckOutSchema,
  failed: 'Failed to cancel check-out',
  precheck: ({ actor, params }) => assertCancellable(db, actor, params.id),
  run: async ({ actor, params, input, requestId }) => {
    await cancelCheckOut(db, actor, params.id, input, requestId);
    return redirectWithToast(paths.dashboard, successToast('Check-out cancelled'));
  },
});

export default function CancelCheckOut() {
  const { flight, conflict, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<CancelCheckOutInput>({ id: 'cancel', lastResult: reply?.result });
  const conflictNow = conflictText(conflict, reply);
  if (conflictNow !== null) return <FlightConflict flight={flight} text={`409: ${conflictNow}`} reply={reply} />;
  return (
    <FormScreen
      title="Cancel check-out"
      trail={<FlightTrail id={flight.id} page="Cancel" />}
      notice={
        <>
          <p>Only for a flight that never took place. It leaves the flight logs, and the aircraft is free again.</p>
          <FlightCard flight={flight} />
        </>
      }
      form={form}
      reply={reply}
      requestId={requestId}
      submit={{ label: 'Cancel check-out', pending: 'Cancelling...', variant: 'danger' }}
      cancelTo={paths.flightPage(flight.id)}
      cancelLabel="Keep the flight"
    >
      <TextArea field={fields.reason} label="Why did it not take place?" rows={2} required />
    </FormScreen>
  );
}
