import { Form, useActionData, useLoaderData } from '@remix-run/react';
import { ButtonLink } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { Actions } from '../components/columns.tsx';
import { ErrorSummary } from '../components/error-summary.tsx';
import { RequestId } from '../components/hidden-field.tsx';
import { Notice } from '../components/notice.tsx';
import { Screen } from '../components/screen.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { TextField } from '../components/text-field.tsx';
import { useForm } from '../components/use-form.ts';
import { titled, useToast } from '../components/use-root.ts';
import { db } from '../db.server.ts';
import { asMember, authorize } from '../domain/actor.ts';
import { addAircraft } from '../domain/aircraft/add-aircraft.server.ts';
import { type AddAircraftFields, addAircraftFields } from '../domain/aircraft/fields.server.ts';
import { may } from '../domain/permissions.ts';
import { redirectWith, success } from '../http/flash.server.ts';
import { newRequestId, settle } from '../http/forms.server.ts';
import { signedIn, signedInPost } from '../http/screen.server.ts';
import { paths } from '../paths.ts';

export { clientAction } from '../components/keep-form.ts';

export const meta = titled('Add Aircraft');

export const loader = signedIn(async ({ actor }) => ({
  manages: may(actor.role, 'manage aircraft'),
  requestId: newRequestId(),
}));

export const action = signedInPost(async ({ actor, form }) => {
  authorize(actor, 'manage aircraft');
  return settle(form, addAircraftFields, { failed: 'Failed to add aircraft' }, async (input, requestId) => {
    await addAircraft(db, asMember(actor), input, requestId);
    return redirectWith(paths.fleet, success('Aircraft added successfully'));
  });
});

export default function AddAircraft() {
  const { manages, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<AddAircraftFields>({ id: 'aircraft', lastResult: reply?.result });
  return (
    <Screen title="Add Aircraft" back lead={<ErrorSummary form={form} />} toast={useToast(reply)} width="form">
      {!manages && <Notice tone="info">Only administrators can add new aircraft.</Notice>}
      {manages && (
        <Card>
          <Form method="post" id={form.id} noValidate>
            <RequestId value={requestId} />
            <TextField
              field={fields.tailNumber}
              label="Tail Number"
              autoCapitalize="characters"
              autoComplete="off"
              spellCheck={false}
              required
            />
            <TextField field={fields.make} label="Make" hint="As in Cessna" autoComplete="off" required />
            <TextField field={fields.model} label="Model" hint="As in 172S" autoComplete="off" required />
            <TextField
              field={fields.year}
              label="Year"
              type="number"
              inputMode="numeric"
              min={1900}
              max={2100}
              step={1}
              autoComplete="off"
              required
            />
            <Actions>
              <SubmitButton pending="Adding...">Add Aircraft</SubmitButton>
              <ButtonLink to={paths.fleet}>Cancel</ButtonLink>
            </Actions>
          </Form>
        </Card>
      )}
    </Screen>
  );
}
