import { authedFormAction, authedLoader } from '#app/server/screen.server.ts';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ButtonLink, Card } from '#app/ui/elements.tsx';
import { ErrorSummary, useForm } from '#app/ui/forms/form.tsx';
import { NextStepNotice } from '#app/features/flights/next-step-notice.tsx';
import { ReadingNote } from '#app/features/meters/reading-note.tsx';
import { SaveScannedReadingForm } from '#app/features/meters/save-scanned-reading-form.tsx';
import { ScanForm } from './scan-form.tsx';
import { ScanResult } from '#app/features/meters/scan-result.tsx';
import { assertScanAircraftExists, loadScanPage, scanAndSaveMeterPhoto } from './scan-page.server.ts';
import { Screen, createTitleMeta, useToast } from '#app/ui/page/screen.tsx';
import { scanFormSchema, type ScanFormValues } from '#app/domain/meters/schema.server.ts';
import { MAX_SCAN_FORM_BYTES } from '#app/limits.ts';
import { texts } from '#app/domain/texts.ts';
import { paths } from '#app/paths.ts';

export { clientAction } from '#app/ui/forms/form.tsx';

export const meta = createTitleMeta('Scan Meter');

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  load: ({ actor, url }) => loadScanPage(actor, url),
});

export const action = authedFormAction({
  can: 'anyRole',
  limit: MAX_SCAN_FORM_BYTES,
  schema: scanFormSchema,
  failed: texts.readingFailed,
  precheck: ({ actor, form }) => assertScanAircraftExists(actor, form),
  run: ({ actor, input, requestId }) => scanAndSaveMeterPhoto(actor, input, requestId),
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
          {saveOption && (
            <SaveScannedReadingForm key={saveOption.scanId} saveOption={saveOption} requestId={requestId} />
          )}
        </Card>
      )}
      {way && <NextStepNotice {...way} />}
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
