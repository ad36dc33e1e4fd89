import { authedFormAction, authedLoader, newFormRequestId } from '#app/server/screen.server.ts';
import { useActionData, useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { Card, Notice } from '#app/ui/elements.tsx';
import { ErrorSummary } from '#app/ui/forms/form.tsx';
import { ReadingNote } from '#app/features/meters/reading-note.tsx';
import { SaveScannedReadingForm, useSaveScannedReadingForm } from '#app/features/meters/save-scanned-reading-form.tsx';
import { ScanResult } from '#app/features/meters/scan-result.tsx';
import { Screen, createTitleMeta, useToast } from '#app/ui/page/screen.tsx';
import { db } from '#app/server/db.server.ts';
import { saveLastReading } from '#app/domain/aircraft/save-last-reading.server.ts';
import { AppError } from '#app/domain/app-error.ts';
import { readingChoices, toScanView } from '#app/domain/meters/scan-view.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { compareScan, requireScanWithReading } from '#app/features/meters/scan-comparison.server.ts';
import { reasonTooLongText, texts } from '#app/domain/texts.ts';
import { MAX_REASON_CHARACTERS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';

export { clientAction } from '#app/ui/forms/form.tsx';

export { GoneBoundary as ErrorBoundary } from '#app/ui/page/gone-boundary.tsx';

export const meta = createTitleMeta('Save reading');

export const loader = authedLoader({
  can: 'save last readings',
  ids: { id: texts.scanNotFound },
  load: async ({ actor, params }) => {
    const scan = await requireScanWithReading(actor, params.id);
    return {
      scan: toScanView(scan),
      tailNumber: scan.aircraft.tailNumber,
      ...(await compareScan(actor, scan)),
      requestId: newFormRequestId(),
    };
  },
});

export const action = authedFormAction({
  can: 'save last readings',
  ids: { id: texts.scanNotFound },
  schema: z.object({
    reading: z.string().optional(),
    reason: z.string().max(MAX_REASON_CHARACTERS, reasonTooLongText).optional(),
    readAgain: z.boolean().optional(),
  }),
  failed: 'Failed to save reading',
  precheck: ({ actor, params }) => requireScanWithReading(actor, params.id),
  run: async ({ actor, params, input: { reading: chosen, reason, readAgain }, requestId }) => {
    const scan = await requireScanWithReading(actor, params.id);
    const { id: scanId, aircraft, meterType } = scan;
    const reading = chosen ? readingChoices(scan).find((choice) => choice === chosen) : scan.reading;
    if (reading === undefined)
      throw new AppError('invalid', 'Please choose what the last drum shows').onField('reading');
    const input = { aircraftId: aircraft.id, meterType, reading, reason, scanId };
    await saveLastReading(db, actor, input, requestId, { isConfirmed: readAgain === true });
    return redirectWithToast(
      paths.fleet,
      successToast('Reading saved', `${aircraft.tailNumber} now stands at ${reading}.`),
    );
  },
});

/** The page is shown if a scan could not be saved, as without a reason. */
export default function SaveScanned() {
  const { scan, tailNumber, note, saveOption, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form] = useSaveScannedReadingForm(reply, saveOption);
  const toast = useToast(reply);
  return (
    <Screen title="Save reading" showBackLink beforeTitle={<ErrorSummary form={form} />} toast={toast} width="form">
      <Card title={tailNumber} isTailNumber>
        <ScanResult scan={scan} />
        {note && <ReadingNote note={{ tone: 'caution', text: note }} />}
        {saveOption ? (
          <SaveScannedReadingForm saveOption={saveOption} requestId={requestId} reply={reply} />
        ) : (
          <Notice tone="info">This reading cannot be saved as the last one now.</Notice>
        )}
      </Card>
    </Screen>
  );
}
