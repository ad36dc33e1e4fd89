import { useActionData, useLoaderData } from '@remix-run/react';
import { findAircraft, requireAircraft } from '#app/domain/aircraft/queries.server.ts';
import { AppError } from '#app/domain/app-error.ts';
import { addInspection } from '#app/domain/inspections/save-inspection.server.ts';
import { inspectionFormSchema } from '#app/domain/inspections/schema.server.ts';
import { texts } from '#app/domain/texts.ts';
import { InspectionFields, type InspectionFormValues } from '#app/features/inspections/inspection-fields.tsx';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { newRequestId } from '#app/server/form-action.server.ts';
import { authedFormAction, authedLoader } from '#app/server/screen.server.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { ErrorSummary } from '#app/ui/forms/error-summary.tsx';
import { RequestId } from '#app/ui/forms/hidden-field.tsx';
import { PostForm } from '#app/ui/forms/post-form.tsx';
import { SubmitButton } from '#app/ui/forms/submit-button.tsx';
import { useForm } from '#app/ui/hooks/use-form.ts';
import { pageTitle, useToast } from '#app/ui/hooks/use-root-data.ts';
import { Actions } from '#app/ui/layout.tsx';
import { AircraftTrail } from '#app/ui/page/trail.tsx';
import { Screen } from '#app/ui/page/screen.tsx';

export { clientAction } from '#app/ui/forms/keep-form-on-network-error.ts';

export const meta = pageTitle('Add Inspection');

const ids = { id: texts.aircraftNotFound };

export const loader = authedLoader({
  can: 'manage inspections',
  ids,
  load: async ({ actor, params }) => {
    const aircraft = await findAircraft(db, actor.schoolId, params.id);
    if (!aircraft) throw new AppError('notFound', texts.aircraftNotFound);
    return { aircraft, requestId: newRequestId() };
  },
});

export const action = authedFormAction({
  can: 'manage inspections',
  ids,
  schema: inspectionFormSchema,
  failed: 'Failed to add inspection',
  precheck: ({ actor, params }) => requireAircraft(db, actor, params.id),
  run: async ({ actor, params, input, requestId }) => {
    await addInspection(db, actor, params.id, input, requestId);
    return redirectWithToast(paths.aircraft(params.id), successToast('Inspection added'));
  },
});

export default function AddInspection() {
  const { aircraft, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<InspectionFormValues>({
    id: 'inspection',
    lastResult: reply?.result,
    defaultValue: { dueAt: 'tach', intervalUnit: 'hours' },
  });
  return (
    <Screen
      title="Add Inspection"
      showBackLink
      trail={<AircraftTrail aircraft={aircraft} page="Add Inspection" />}
      beforeTitle={<ErrorSummary form={form} />}
      toast={useToast(reply)}
      width="form"
    >
      <Card title={aircraft.tailNumber} isTailNumber subtitle={`${aircraft.make} ${aircraft.model}`}>
        <PostForm id={form.id}>
          <RequestId value={requestId} />
          <InspectionFields fields={fields} />
          <Actions>
            <SubmitButton pendingLabel="Adding...">Add Inspection</SubmitButton>
            <ButtonLink to={paths.aircraft(aircraft.id)}>Back</ButtonLink>
          </Actions>
        </PostForm>
      </Card>
    </Screen>
  );
}
