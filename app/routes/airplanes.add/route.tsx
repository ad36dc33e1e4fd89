import { authedFormAction, authedLoader, newFormRequestId } from '#app/server/screen.server.ts';
import { useActionData, useLoaderData } from '@remix-run/react';
import { Notice } from '#app/ui/elements.tsx';
import { FormScreen } from '#app/ui/page/form-screen.tsx';
import { Screen, createTitleMeta, useToast } from '#app/ui/page/screen.tsx';
import { TextField } from '#app/ui/forms/fields.tsx';
import { useForm } from '#app/ui/forms/form.tsx';
import { db } from '#app/server/db.server.ts';
import { addAircraft } from '#app/domain/aircraft/change-aircraft.server.ts';
import { type AddAircraftInput, addAircraftSchema } from '#app/domain/aircraft/schema.server.ts';
import { can } from '#app/domain/permissions.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { MAX_YEAR, MIN_AIRCRAFT_YEAR } from '#app/limits.ts';
import { paths } from '#app/paths.ts';

export { clientAction } from '#app/ui/forms/form.tsx';

export const meta = createTitleMeta('Add Aircraft');

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  load: async ({ actor }) => ({ canManage: can(actor.role, 'manage aircraft'), requestId: newFormRequestId() }),
});

export const action = authedFormAction({
  can: 'manage aircraft',
  schema: addAircraftSchema,
  failed: 'Failed to add aircraft',
  run: async ({ actor, input, requestId }) => {
    await addAircraft(db, actor, input, requestId);
    return redirectWithToast(paths.fleet, successToast('Aircraft added successfully'));
  },
});

export default function AddAircraft() {
  const { canManage, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<AddAircraftInput>({ id: 'aircraft', lastResult: reply?.result });
  if (!canManage) return <OnlyAdministrators />;
  return (
    <FormScreen
      title="Add Aircraft"
      form={form}
      reply={reply}
      requestId={requestId}
      submit={{ label: 'Add Aircraft', pending: 'Adding...' }}
      cancelTo={paths.fleet}
    >
      <TextField
        field={fields.tailNumber}
        label="Tail Number"
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
        required
      />
      <TextField field={fields.make} label="Make" hint="e.g. Cessna" autoComplete="off" required />
      <TextField field={fields.model} label="Model" hint="e.g. 172S" autoComplete="off" required />
      <TextField
        field={fields.year}
        label="Year"
        type="number"
        inputMode="numeric"
        min={MIN_AIRCRAFT_YEAR}
        max={MAX_YEAR}
        step={1}
        autoComplete="off"
        required
      />
    </FormScreen>
  );
}

function OnlyAdministrators() {
  return (
    <Screen title="Add Aircraft" showBackLink toast={useToast(undefined)} width="form">
      <Notice tone="info">Only administrators can add new aircraft.</Notice>
    </Screen>
  );
}
