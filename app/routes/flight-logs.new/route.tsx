import { useActionData, useLoaderData } from '@remix-run/react';
import { requireAircraftRow } from '#app/domain/aircraft/queries.server.ts';
import { enterPastFlight } from '#app/domain/flights/past/enter-past-flight.server.ts';
import { confirmationsOf } from '#app/domain/flights/recorded-form-schema.server.ts';
import {
  type PastFlightField,
  pastFlightFormSchema,
  toPastFlightInput,
} from '#app/domain/flights/past/past-flight-schema.server.ts';
import { toSchoolTime } from '#app/domain/times/school-time.server.ts';
import { NextStepNotice } from '#app/features/flights/next-step-notice.tsx';
import { FlightRecordFields } from '#app/features/flights/form/flight-record-fields.tsx';
import type { MeterChangeFieldName } from '#app/features/meters/end-readings/meter-change-fields.tsx';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { authedFormAction, authedLoader, newFormRequestId } from '#app/server/screen.server.ts';
import { parseId } from '#app/server/query-values.server.ts';
import { Card } from '#app/ui/elements.tsx';
import { SelectField } from '#app/ui/forms/fields.tsx';
import { useForm } from '#app/ui/forms/form.tsx';
import { createTitleMeta } from '#app/ui/page/screen.tsx';
import { FormScreen } from '#app/ui/page/form-screen.tsx';
import { findEntryOptions } from './options.server.ts';

export { clientAction } from '#app/ui/forms/form.tsx';

export const meta = createTitleMeta('Enter a Past Flight');

export const loader = authedLoader({
  can: 'enter past flights',
  load: async ({ actor }) => ({
    ...(await findEntryOptions(actor)),
    timeZone: actor.timeZone,
    latest: toSchoolTime(new Date(), actor.timeZone),
    requestId: newFormRequestId(),
  }),
});

export const action = authedFormAction({
  can: 'enter past flights',
  schema: pastFlightFormSchema,
  failed: 'Failed to enter the flight',
  precheck: async ({ actor, form }) => {
    const aircraftId = parseId(String(form.get('aircraftId') ?? ''));
    if (aircraftId !== undefined) await requireAircraftRow(db, actor, aircraftId);
  },
  run: async ({ actor, input, requestId }) => {
    const { id } = await enterPastFlight(db, actor, toPastFlightInput(input), requestId, confirmationsOf(input));
    return redirectWithToast(paths.flightPage(id), successToast('Flight entered'));
  },
});

export default function EnterPastFlight() {
  const { options, way, timeZone, latest, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<Record<PastFlightField | MeterChangeFieldName, unknown>>({
    id: 'past-flight',
    lastResult: reply?.result,
    defaultValue: { groundSchoolTime: '0' },
  });
  return (
    <FormScreen
      title="Enter a Past Flight"
      notice={
        <>
          <p>For a flight that was written down elsewhere. Nobody gets a mail, and no squawk is opened.</p>
          {way && <NextStepNotice {...way} />}
        </>
      }
      form={form}
      reply={reply}
      requestId={requestId}
      card={false}
      submit={{ label: 'Enter Flight', pending: 'Saving...' }}
      cancelTo={paths.flightLogs}
      cancelLabel="Back"
    >
      <Card title="Flight">
        <SelectField field={fields.aircraftId} label="Aircraft" options={options.aircraft} required />
        <SelectField field={fields.pilotId} label="Pilot" options={options.pilots} required />
      </Card>
      <FlightRecordFields
        formId={form.id}
        fields={fields}
        meters={{}}
        times={{
          hints: {
            departedAt: `The time at the school (${timeZone}), which counts as the check-out.`,
            landedAt: 'Counts as the check-in.',
          },
          latest,
        }}
        instruction={options.instruction}
        reason={fields.reason}
      />
    </FormScreen>
  );
}
