import { Form, useActionData, useLoaderData } from '@remix-run/react';
import { ButtonLink } from '../components/button.tsx';
import { noteAgainst } from '../components/check-in/final-readings.tsx';
import { Card } from '../components/card.tsx';
import { Actions, Stack } from '../components/columns.tsx';
import { ErrorSummary } from '../components/error-summary.tsx';
import { FlightCard } from '../components/flight-card.tsx';
import { RequestId } from '../components/hidden-field.tsx';
import { LiveReadingField } from '../components/live-reading-field.tsx';
import { Screen } from '../components/screen.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { TextArea } from '../components/text-area.tsx';
import { useForm } from '../components/use-form.ts';
import { titled, useToast } from '../components/use-root.ts';
import { db } from '../db.server.ts';
import { asMember, authorize } from '../domain/actor.ts';
import { type CloseFlightFields, closeFlightFields } from '../domain/flights/amendment-fields.server.ts';
import { assertClosable, closeFlight } from '../domain/flights/close-flight.server.ts';
import { texts } from '../domain/texts.ts';
import { flightAtHand } from '../http/amendments.server.ts';
import { redirectWith, success } from '../http/flash.server.ts';
import { newRequestId, settle } from '../http/forms.server.ts';
import { requiredId } from '../http/ids.server.ts';
import { signedIn, signedInPost } from '../http/screen.server.ts';
import { paths } from '../paths.ts';

export { clientAction } from '../components/keep-form.ts';

export const meta = titled('Close on behalf');

export const loader = signedIn(async ({ actor, params }) => {
  authorize(actor, 'close flights on behalf');
  const closer = asMember(actor);
  const { id } = await assertClosable(db, closer, requiredId(params.id, texts.flightLogNotFound));
  return { flight: await flightAtHand(closer, id), requestId: newRequestId() };
});

export const action = signedInPost(async ({ actor, form, params }) => {
  authorize(actor, 'close flights on behalf');
  const closer = asMember(actor);
  const id = requiredId(params.id, texts.flightLogNotFound);
  const answer = await settle(form, closeFlightFields, { failed: 'Failed to close flight' }, async (input, requestId) => {
    await closeFlight(db, closer, id, input, requestId);
    return redirectWith(paths.flightLog(id), success('Flight closed'));
  });
  // Whether the flight can be closed at all is said before what is wrong with the fields (C33).
  if (!(answer instanceof Response)) await assertClosable(db, closer, id);
  return answer;
});

export default function CloseOnBehalf() {
  const { flight, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<CloseFlightFields>({ id: 'close', lastResult: reply?.result });
  return (
    <Screen title="Close on behalf" back lead={<ErrorSummary form={form} />} toast={useToast(reply)} width="form">
      <p>{`For a flight that is over and that ${flight.pilot} has not checked in. ${flight.pilot} is told by mail.`}</p>
      <FlightCard flight={flight} />
      <Form method="post" id={form.id} noValidate>
        <RequestId value={requestId} />
        <Stack>
          <Card title="Final Meter Readings">
            <LiveReadingField
              field={fields.endHobbsTime}
              label="End Hobbs Time"
              noteOf={noteAgainst(flight.startHobbsTime, texts.endHobbsNotAboveStart)}
            />
            <LiveReadingField
              field={fields.endTachTime}
              label="End Tach Time"
              noteOf={noteAgainst(flight.startTachTime, texts.endTachNotAboveStart)}
            />
            <TextArea field={fields.reason} label="Reason" rows={2} required />
          </Card>
          <Actions>
            <SubmitButton pending="Closing...">Close flight</SubmitButton>
            <ButtonLink to={paths.flightLog(flight.id)}>Back</ButtonLink>
          </Actions>
        </Stack>
      </Form>
    </Screen>
  );
}
