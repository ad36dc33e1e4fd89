import { useActionData, useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { Card } from '#app/ui/card.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { ReadingNote } from '#app/features/meters/reading-note.tsx';
import { SaveReadingForm } from '#app/features/meters/save-reading-form.tsx';
import { ScanResult } from '#app/features/meters/scan-result.tsx';
import { Screen } from '#app/ui/page/screen.tsx';
import { pageTitle, useToast } from '#app/ui/hooks/use-root-data.ts';
import { db } from '#app/server/db.server.ts';
import { requireSchool, assertCan } from '#app/domain/actor.ts';
import { saveLastReading } from '#app/domain/aircraft/save-last-reading.server.ts';
import { toScanView } from '#app/domain/meters/scan-view.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { newRequestId, handleForm } from '#app/server/form-action.server.ts';
import { parseId } from '#app/server/ids.server.ts';
import { compareScan, findScanReading } from '#app/features/meters/scan-comparison.server.ts';
import { authedLoader, authedAction } from '#app/server/screen.server.ts';
import { paths } from '#app/paths.ts';

export const meta = pageTitle('Save reading');

export const loader = authedLoader(async ({ actor, params }) => {
  assertCan(actor, 'save last readings');
  const member = requireSchool(actor);
  const scan = await findScanReading(member, parseId(params.id));
  return {
    scan: toScanView(scan),
    tailNumber: scan.aircraft.tailNumber,
    ...(await compareScan(member, scan)),
    requestId: newRequestId(),
  };
});

export const action = authedAction(async ({ actor, form, params }) => {
  assertCan(actor, 'save last readings');
  const member = requireSchool(actor);
  const { aircraft, meterType, reading } = await findScanReading(member, parseId(params.id));
  const fields = z.object({ reason: z.string().max(500, 'The reason may have at most 500 characters').optional() });
  return handleForm(form, fields, { failed: 'Failed to save reading' }, async ({ reason }, requestId) => {
    await saveLastReading(db, member, { aircraftId: aircraft.id, meterType, reading, reason }, requestId);
    return redirectWithToast(
      paths.fleet,
      successToast('Reading saved', `${aircraft.tailNumber} now stands at ${reading}.`),
    );
  });
});

/** Seen when a scan could not be saved at once: for want of a reason, or because the aircraft has gone. */
export default function SaveScanned() {
  const { scan, tailNumber, note, saving, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  return (
    <Screen title="Save reading" showBackLink toast={useToast(reply)} width="form">
      <Card title={tailNumber} isTailNumber>
        <ScanResult scan={scan} />
        {note && <ReadingNote note={{ tone: 'caution', text: note }} />}
        {saving ? (
          <SaveReadingForm saveOption={saving} requestId={requestId} reply={reply} />
        ) : (
          <Notice tone="info">This reading cannot be saved as the last one now.</Notice>
        )}
      </Card>
    </Screen>
  );
}
