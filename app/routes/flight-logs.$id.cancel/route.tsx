import { Form, useActionData, useLoaderData } from '@remix-run/react';
import { ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { Actions } from '#app/ui/layout.tsx';
import { ErrorSummary } from '#app/ui/forms/error-summary.tsx';
import { FlightCard } from '#app/features/flights/flight-card.tsx';
import { RequestId } from '#app/ui/forms/hidden-field.tsx';
import { Screen } from '#app/ui/page/screen.tsx';
import { SubmitButton } from '#app/ui/forms/submit-button.tsx';
import { TextArea } from '#app/ui/forms/text-area.tsx';
import { useForm } from '#app/ui/hooks/use-form.ts';
import { pageTitle, useToast } from '#app/ui/hooks/use-root-data.ts';
import { db } from '#app/server/db.server.ts';
import { requireSchool } from '#app/domain/actor.ts';
import { type CancelCheckOutInput, cancelCheckOutSchema } from '#app/domain/flights/amendment-schema.server.ts';
import { assertCancellable, cancelCheckOut } from '#app/domain/flights/cancel-check-out.server.ts';
import { texts } from '#app/domain/texts.ts';
import { loadFlightSummary } from '#app/features/flights/flight-summary.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { newRequestId, handleForm } from '#app/server/form-action.server.ts';
import { requireId } from '#app/server/ids.server.ts';
import { authedLoader, authedAction } from '#app/server/screen.server.ts';
import { paths } from '#app/paths.ts';

export { clientAction } from '#app/ui/forms/keep-form-on-network-error.ts';

export const meta = pageTitle('Cancel check-out');

export const loader = authedLoader(async ({ actor, params }) => {
  const member = requireSchool(actor);
  const { id } = await assertCancellable(db, member, requireId(params.id, texts.flightLogNotFound));
  return { flight: await loadFlightSummary(member, id), requestId: newRequestId() };
});

export const action = authedAction(async ({ actor, form, params }) => {
  const member = requireSchool(actor);
  const id = requireId(params.id, texts.flightLogNotFound);
  const failed = 'Failed to cancel check-out';
  const answer = await handleForm(form, cancelCheckOutSchema, { failed }, async (input, requestId) => {
    await cancelCheckOut(db, member, id, input, requestId);
    return redirectWithToast(paths.dashboard, successToast('Check-out cancelled'));
  });
  // Whether the check-out can be cancelled at all is said before what is wrong with the fields (C33).
  if (!(answer instanceof Response)) await assertCancellable(db, member, id);
  return answer;
});

export default function CancelCheckOut() {
  const { flight, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<CancelCheckOutInput>({ id: 'cancel', lastResult: reply?.result });
  return (
    <Screen
      title="Cancel check-out"
      showBackLink
      beforeTitle={<ErrorSummary form={form} />}
      toast={useToast(reply)}
      width="form"
    >
      <p>Only for a flight that never took place. It leaves the flight logs, and the aircraft is free again.</p>
      <FlightCard flight={flight} />
      <Card>
        <Form method="post" id={form.id} noValidate>
          <RequestId value={requestId} />
          <TextArea field={fields.reason} label="Why did it not take place?" rows={2} required />
          <Actions>
            <SubmitButton variant="danger" pendingLabel="Cancelling...">
              Cancel check-out
            </SubmitButton>
            <ButtonLink to={paths.flightLog(flight.id)}>Keep the flight</ButtonLink>
          </Actions>
        </Form>
      </Card>
    </Screen>
  );
}
