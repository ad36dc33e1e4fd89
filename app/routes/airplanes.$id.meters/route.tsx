import { useActionData, useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { requireAircraftRow } from '#app/domain/aircraft/queries.server.ts';
import {
  assertMetersChangeable,
  declareMeterChange,
  declareMeterChangeSchema,
} from '#app/domain/readings/declare-meter-change.server.ts';
import { texts } from '#app/domain/texts.ts';
import { loadMeterHistory } from '#app/features/aircraft/meter-history.server.ts';
import { MeterChangeForm, useMeterChangeForm } from '#app/features/aircraft/meter-change-form.tsx';
import { MeterHistory } from '#app/features/aircraft/meter-history.tsx';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { authedFormAction, authedLoader, newFormRequestId } from '#app/server/screen.server.ts';
import { ErrorSummary } from '#app/ui/forms/form.tsx';
import { createTitleMeta, useToast, Screen } from '#app/ui/page/screen.tsx';
import { Stack, Notice } from '#app/ui/elements.tsx';
import { AircraftTrail } from '#app/ui/page/trail.tsx';

export { clientAction } from '#app/ui/forms/form.tsx';

export { GoneBoundary as ErrorBoundary } from '#app/ui/page/gone-boundary.tsx';

export const meta = createTitleMeta('Meters');

export const loader = authedLoader({
  can: 'change meters',
  ids: { id: texts.aircraftNotFound },
  load: async ({ actor, params }) => {
    const aircraft = await requireAircraftRow(db, actor, params.id);
    return {
      id: aircraft.id,
      tailNumber: aircraft.tail_number,
      lastReadings: { hobbs: aircraft.last_hobbs, tachometer: aircraft.last_tach },
      isInFlight: Boolean(aircraft.in_flight),
      history: await loadMeterHistory(actor, aircraft.id),
      requestId: newFormRequestId(),
    };
  },
});

export const action = authedFormAction({
  can: 'change meters',
  ids: { id: texts.aircraftNotFound },
  schema: declareMeterChangeSchema.extend({ readAgain: z.boolean().optional() }),
  failed: 'Failed to save the meter change',
  precheck: ({ actor, params }) => assertMetersChangeable(db, actor, params.id),
  run: async ({ actor, params, input: { readAgain, ...input }, requestId }) => {
    await declareMeterChange(db, actor, params.id, input, requestId, { isConfirmed: readAgain === true });
    return redirectWithToast(paths.aircraftMeters(params.id), successToast('Meter change saved'));
  },
});

export default function AircraftMeters() {
  const { id, tailNumber, lastReadings, isInFlight, history, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useMeterChangeForm(reply);
  return (
    <Screen
      title="Meters"
      subtitle={<span className="tail-number">{tailNumber}</span>}
      showBackLink
      trail={<AircraftTrail aircraft={{ id, tailNumber }} page="Meters" />}
      beforeTitle={<ErrorSummary form={form} />}
      toast={useToast(reply)}
      width="form"
    >
      <Stack>
        {isInFlight ? (
          <Notice tone="info">
            This aircraft is checked out. A meter that changed in flight is declared at its check-in.
          </Notice>
        ) : (
          <MeterChangeForm
            key={history.length}
            formId={form.id}
            fields={fields}
            lastReadings={lastReadings}
            requestId={requestId}
          />
        )}
        <MeterHistory rows={history} />
      </Stack>
    </Screen>
  );
}
