import { conflictText } from '#app/features/flights/conflict-text.ts';
import { authedFormAction, authedLoader } from '#app/server/screen.server.ts';
import { loadFlightToChange } from '#app/features/flights/flight-summary.server.ts';
import { ConflictPage } from '#app/ui/page/error-page.tsx';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { Actions } from '#app/ui/layout.tsx';
import { ErrorSummary } from '#app/ui/forms/error-summary.tsx';
import { FlightCard } from '#app/features/flights/flight-card.tsx';
import { RequestId } from '#app/ui/forms/hidden-field.tsx';
import { PostForm } from '#app/ui/forms/post-form.tsx';
import { Screen } from '#app/ui/page/screen.tsx';
import { FlightTrail } from '#app/ui/page/trail.tsx';
import { SubmitButton } from '#app/ui/forms/submit-button.tsx';
import { TextArea } from '#app/ui/forms/text-area.tsx';
import { useForm } from '#app/ui/hooks/use-form.ts';
import { pageTitle, useToast } from '#app/ui/hooks/use-root-data.ts';
import { db } from '#app/server/db.server.ts';
import { type CancelCheckOutInput, cancelCheckOutSchema } from '#app/domain/flights/schema.server.ts';
import { assertCancellable, cancelCheckOut } from '#app/domain/flights/cancel-check-out.server.ts';
import { texts } from '#app/domain/texts.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { paths } from '#app/paths.ts';

export { clientAction } from '#app/ui/forms/keep-form-on-network-error.ts';

export const meta = pageTitle('Cancel check-out');

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
  const toast = useToast(reply);
  const conflictNow = conflictText(conflict, reply);
  if (conflictNow !== null) return <ConflictPage text={conflictNow} />;
  return (
    <Screen
      title="Cancel check-out"
      showBackLink
      trail={<FlightTrail id={flight.id} page="Cancel" />}
      beforeTitle={<ErrorSummary form={form} />}
      toast={toast}
      width="form"
    >
      <p>Only for a flight that never took place. It leaves the flight logs, and the aircraft is free again.</p>
      <FlightCard flight={flight} />
      <Card>
        <PostForm id={form.id}>
          <RequestId value={requestId} />
          <TextArea field={fields.reason} label="Why did it not take place?" rows={2} required />
          <Actions>
            <SubmitButton variant="danger" pendingLabel="Cancelling...">
              Cancel check-out
            </SubmitButton>
            <ButtonLink to={paths.flightPage(flight.id)}>Keep the flight</ButtonLink>
          </Actions>
        </PostForm>
      </Card>
    </Screen>
  );
}
