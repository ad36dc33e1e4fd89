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
import { titled, useToast } from '#app/ui/hooks/use-root-data.ts';
import { db } from '#app/server/db.server.ts';
import { asMember } from '#app/domain/actor.ts';
import { type CancelCheckOutFields, cancelCheckOutFields } from '#app/domain/flights/amendment-schema.server.ts';
import { assertCancellable, cancelCheckOut } from '#app/domain/flights/cancel-check-out.server.ts';
import { texts } from '#app/domain/texts.ts';
import { flightAtHand } from '#app/features/flights/flight-summary.server.ts';
import { redirectWith, success } from '#app/server/flash.server.ts';
import { newRequestId, settle } from '#app/server/form-action.server.ts';
import { requiredId } from '#app/server/ids.server.ts';
import { signedIn, signedInPost } from '#app/server/screen.server.ts';
import { paths } from '#app/paths.ts';

export { clientAction } from '#app/ui/forms/keep-form-on-network-error.ts';

export const meta = titled('Cancel check-out');

export const loader = signedIn(async ({ actor, params }) => {
  const member = asMember(actor);
  const { id } = await assertCancellable(db, member, requiredId(params.id, texts.flightLogNotFound));
  return { flight: await flightAtHand(member, id), requestId: newRequestId() };
});

export const action = signedInPost(async ({ actor, form, params }) => {
  const member = asMember(actor);
  const id = requiredId(params.id, texts.flightLogNotFound);
  const failed = 'Failed to cancel check-out';
  const answer = await settle(form, cancelCheckOutFields, { failed }, async (input, requestId) => {
    await cancelCheckOut(db, member, id, input, requestId);
    return redirectWith(paths.dashboard, success('Check-out cancelled'));
  });
  // Whether the check-out can be cancelled at all is said before what is wrong with the fields (C33).
  if (!(answer instanceof Response)) await assertCancellable(db, member, id);
  return answer;
});

export default function CancelCheckOut() {
  const { flight, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<CancelCheckOutFields>({ id: 'cancel', lastResult: reply?.result });
  return (
    <Screen title="Cancel check-out" back lead={<ErrorSummary form={form} />} toast={useToast(reply)} width="form">
      <p>Only for a flight that never took place. It leaves the flight logs, and the aircraft is free again.</p>
      <FlightCard flight={flight} />
      <Card>
        <Form method="post" id={form.id} noValidate>
          <RequestId value={requestId} />
          <TextArea field={fields.reason} label="Why did it not take place?" rows={2} required />
          <Actions>
            <SubmitButton variant="danger" pending="Cancelling...">
              Cancel check-out
            </SubmitButton>
            <ButtonLink to={paths.flightLog(flight.id)}>Keep the flight</ButtonLink>
          </Actions>
        </Form>
      </Card>
    </Screen>
  );
}
