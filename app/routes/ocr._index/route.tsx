import { useActionData, useLoaderData } from '@remix-run/react';
import { ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { ErrorSummary } from '#app/ui/forms/error-summary.tsx';
import { ReadingNote } from '#app/features/meters/reading-note.tsx';
import { SaveReadingForm } from '#app/features/meters/save-reading-form.tsx';
import { ScanForm } from './scan-form.tsx';
import { ScanResult } from '#app/features/meters/scan-result.tsx';
import { Screen } from '#app/ui/page/screen.tsx';
import { useForm } from '#app/ui/hooks/use-form.ts';
import { pageTitle, useToast } from '#app/ui/hooks/use-root-data.ts';
import { db } from '#app/server/db.server.ts';
import { requireSchool, type Member } from '#app/domain/actor.ts';
import { findFleet } from '#app/domain/aircraft/queries.server.ts';
import { type ScanFormValues, scanFormSchema } from '#app/domain/meters/schema.server.ts';
import { MAX_UPLOAD_BYTES } from '#app/domain/meters/photos.server.ts';
import { findScan } from '#app/domain/meters/queries.server.ts';
import { requireScannableAircraft, scanMeter } from '#app/domain/meters/scan-meter.server.ts';
import { METER_TYPE_OPTIONS, toScanView } from '#app/domain/meters/scan-view.ts';
import { AppError } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { newRequestId, handleForm } from '#app/server/form-action.server.ts';
import { parseId, parseFormId } from '#app/server/ids.server.ts';
import { compareScan } from '#app/features/meters/scan-comparison.server.ts';
import { authedLoader, authedAction } from '#app/server/screen.server.ts';
import { paths } from '#app/paths.ts';

export const meta = pageTitle('Scan Meter');

export const loader = authedLoader(async ({ actor, url }) => {
  const { schoolId } = actor;
  const fleet = schoolId === null ? [] : await findFleet(db, schoolId);
  const scanId = parseId(url.searchParams.get('scan'));
  const scan = scanId && schoolId !== null ? await findScan(db, schoolId, scanId) : undefined;
  const chosen = fleet.find(({ id }) => id === parseId(url.searchParams.get('aircraftId')));
  return {
    aircraft: fleet.map(({ id, tailNumber, make, model }) => ({
      value: String(id),
      label: `${tailNumber} · ${make} ${model}`,
    })),
    chosen: chosen ? String(chosen.id) : '',
    meters: METER_TYPE_OPTIONS,
    scan: scan ? { ...toScanView(scan), tailNumber: scan.aircraft.tailNumber } : null,
    ...(scan ? await compareScan(requireSchool(actor), scan) : { note: null, saving: null }),
    requestId: newRequestId(),
  };
});

export const action = authedAction(
  ({ actor, form }) => {
    const precheck = () => assertFormAircraftScannable(requireSchool(actor), form);
    return handleForm(
      form,
      scanFormSchema,
      { failed: texts.readingFailed, hiddenFields: ['image'], precheck },
      async (input, requestId) => {
        const image = Buffer.from(await input.image.arrayBuffer());
        const scan = await scanMeter(db, requireSchool(actor), { ...input, image }, requestId);
        if (scan.id === null) throw new AppError('invalid', texts.nothingDetected);
        return redirectWithToast(
          paths.scanned(input.aircraftId, scan.id),
          successToast('Success', 'Meter reading processed successfully'),
        );
      },
    );
  },
  { limit: MAX_UPLOAD_BYTES + 64 * 1024 },
);

/** Whether the aircraft that the form names is there is said before what is wrong with its fields (C33). */
async function assertFormAircraftScannable(member: Member, form: FormData) {
  const aircraftId = parseFormId(form, 'aircraftId');
  if (aircraftId !== undefined) await requireScannableAircraft(db, member, aircraftId);
}

export default function ScanMeter() {
  const { aircraft, chosen, meters, scan, note, saving, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<ScanFormValues>({
    id: 'scan',
    lastResult: reply?.result,
    defaultValue: { aircraftId: chosen, meterType: 'hobbs' },
  });
  return (
    <Screen
      title="Scan Meter"
      showBackLink
      actions={<ButtonLink to={paths.scanHistory}>Scan History</ButtonLink>}
      beforeTitle={<ErrorSummary form={form} />}
      toast={useToast(reply)}
      width="form"
    >
      {scan && (
        <Card title={scan.tailNumber} isTailNumber>
          <ScanResult scan={scan} />
          {note && <ReadingNote note={{ tone: 'caution', text: note }} />}
          {saving && <SaveReadingForm key={saving.scanId} saveOption={saving} requestId={requestId} />}
        </Card>
      )}
      {/* A finished scan leaves a form of its own: the file is cleared (spec §4). */}
      <ScanForm
        key={requestId}
        form={form}
        fields={fields}
        aircraftOptions={aircraft}
        meterTypeOptions={meters}
        requestId={requestId}
      />
    </Screen>
  );
}
