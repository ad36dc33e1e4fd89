import { useActionData, useLoaderData } from '@remix-run/react';
import { requireAircraftRow, toAircraft } from '#app/domain/aircraft/queries.server.ts';
import { addInspection } from '#app/domain/inspections/save-inspection.server.ts';
import { inspectionFormSchema } from '#app/domain/inspections/schema.server.ts';
import { texts } from '#app/domain/texts.ts';
import { InspectionFields, type InspectionFormValues } from '#app/features/inspections/inspection-fields.tsx';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { authedFormAction, authedLoader, newFormRequestId } from '#app/server/screen.server.ts';
import { useForm } from '#app/ui/forms/form.tsx';
import { createTitleMeta } from '#app/ui/page/screen.tsx';
import { AircraftTrail } from '#app/ui/page/trail.tsx';
import { FormScreen } from '#app/ui/page/form-screen.tsx';

export { clientAction } from '#app/ui/forms/form.tsx';

export { GoneBoundary as ErrorBoundary } from '#app/ui/page/gone-boundary.tsx';

export const meta = createTitleMeta('Add Inspection');

const ids = { id: texts.aircraftNotFound };

export const loader = authedLoader({
  can: 'manage inspections',
  ids,
  load: async ({ actor, params }) => {
    return { aircraft: toAircraft(await requireAircraftRow(db, actor, params.id)), requestId: newFormRequestId() };
  },
});

export const action = authedFormAction({
  can: 'manage inspections',
  ids,
  schema: inspectionFormSchema,
  failed: 'Failed to add inspection',
  precheck: ({ actor, params }) => requireAircraftRow(db, actor, params.id),
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
    <FormScreen
      title="Add Inspection"
      trail={<AircraftTrail aircraft={aircraft} page="Add Inspection" />}
      form={form}
      reply={reply}
      requestId={requestId}
      card={{ title: aircraft.tailNumber, isTailNumber: true, subtitle: `${aircraft.make} ${aircraft.model}` }}
      submit={{ label: 'Add Inspection', pending: 'Adding...' }}
      cancelTo={paths.aircraft(aircraft.id)}
      cancelLabel="Back"
    >
      <InspectionFields fields={fields} />
    </FormScreen>
  );
}
