import { authedFormAction, authedLoader, newRequestId } from '#app/server/screen.server.ts';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ButtonLink, Card } from '#app/ui/elements.tsx';
import { ErrorSummary, useForm } from '#app/ui/forms/form.tsx';
import { WayOn } from '#app/features/flights/way-on.tsx';
import { wayToAircraft } from '#app/features/flights/ways-on.server.ts';
import { ReadingNote } from '#app/features/meters/reading-note.tsx';
import { SaveReadingForm } from '#app/features/meters/save-reading-form.tsx';
import { ScanForm } from './scan-form.tsx';
import { ScanResult } from '#app/features/meters/scan-result.tsx';
import { Screen, pageTitle, useToast } from '#app/ui/page/screen.tsx';
import { db } from '#app/server/db.server.ts';
import { findFleet } from '#app/domain/aircraft/queries.server.ts';
import { scanFormSchema, type ScanFormValues } from '#app/domain/meters/schema.server.ts';
import { MAX_SCAN_FORM_BYTES } from '#app/limits.ts';
import { findScan } from '#app/domain/meters/queries.server.ts';
import { requireScannableAircraft, scanMeter } from '#app/domain/meters/scan-meter.server.ts';
import { METER_TYPE_OPTIONS, toScanView } from '#app/domain/meters/scan-view.ts';
import { AppError } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { parseFormId, parseId } from '#app/server/query-values.server.ts';
import { compareScan } from '#app/features/meters/scan-comparison.server.ts';
import { paths } from '#app/paths.ts';

export { clientAction } from '#app/ui/forms/form.tsx';

export const meta = pageTitle('Scan Meter');

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  load: async ({ actor, url }) => {
    const fleet = await findFleet(db, actor.schoolId);
    const scanId = parseId(url.searchParams.get('scan'));
    const scan = scanId && (await findScan(db, actor.schoolId, scanId));
    const selected = fleet.find(({ id }) => id === parseId(url.searchParams.get('aircraftId')));
    return {
      aircraftOptions: fleet.map(({ id, tailNumber, make, model }) => ({
        value: String(id),
        label: `${tailNumber} · ${make} ${model}`,
      })),
      selectedAircraftId: selected ? String(selected.id) : '',
      way: fleet.length === 0 ? wayToAircraft(actor) : null,
      meterTypeOptions: METER_TYPE_OPTIONS,
      scan: scan ? { ...toScanView(scan), tailNumber: scan.aircraft.tailNumber } : null,
      ...(scan ? await compareScan(actor, scan) : { note: null, saveOption: null }),
      requestId: newRequestId(),
    };
  },
});

export const action = authedFormAction({
  can: 'anyRole',
  limit: MAX_SCAN_FORM_BYTES,
  schema: scanFormSchema,
  failed: texts.readingFailed,
  precheck: async ({ actor, form }) => {
    const aircraftId = parseFormId(form, 'aircraftId');
    if (aircraftId !== undefined) await requireScannableAircraft(db, actor, aircraftId);
  },
  run: async ({ actor, input, requestId }) => {
    const image = Buffer.from(await input.image.arrayBuffer());
    const scan = await scanMeter(db, actor, { ...input, image }, requestId);
    if (scan.id === null) throw new AppError('invalid', texts.nothingDetected);
    return redirectWithToast(
      paths.scanResult(input.aircraftId, scan.id),
      successToast('Success', 'Meter reading processed successfully'),
    );
  },
});

export default function ScanMeter() {
  const { aircraftOptions, selectedAircraftId, way, meterTypeOptions, scan, note, saveOption, requestId } =
    useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<ScanFormValues>({
    id: 'scan',
    lastResult: reply?.result,
    defaultValue: { aircraftId: selectedAircraftId, meterType: 'hobbs' },
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
          {saveOption && <SaveReadingForm key={saveOption.scanId} saveOption={saveOption} requestId={requestId} />}
        </Card>
      )}
      {way && <WayOn {...way} />}
      {/* A new key after each scan clears the file. */}
      <ScanForm
        key={requestId}
        form={form}
        fields={fields}
        aircraftOptions={aircraftOptions}
        meterTypeOptions={meterTypeOptions}
        requestId={requestId}
      />
    </Screen>
  );
}
