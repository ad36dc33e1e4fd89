import { useActionData, useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { Card } from '#app/ui/card.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { ReadingNote } from '#app/features/meters/reading-note.tsx';
import { SaveReading } from '#app/features/meters/save-reading-form.tsx';
import { ScanResult } from '#app/features/meters/scan-result.tsx';
import { Screen } from '#app/ui/page/screen.tsx';
import { titled, useToast } from '#app/ui/hooks/use-root-data.ts';
import { db } from '#app/server/db.server.ts';
import { asMember, authorize } from '#app/domain/actor.ts';
import { saveLastReading } from '#app/domain/aircraft/save-last-reading.server.ts';
import { shownScan } from '#app/domain/meters/scan-view.ts';
import { redirectWith, success } from '#app/server/flash.server.ts';
import { newRequestId, settle } from '#app/server/form-action.server.ts';
import { idFrom } from '#app/server/ids.server.ts';
import { comparisonOf, scanToSave } from '#app/features/meters/scan-comparison.server.ts';
import { signedIn, signedInPost } from '#app/server/screen.server.ts';
import { paths } from '#app/paths.ts';

export const meta = titled('Save reading');

export const loader = signedIn(async ({ actor, params }) => {
  authorize(actor, 'save last readings');
  const member = asMember(actor);
  const scan = await scanToSave(member, idFrom(params.id));
  return {
    scan: shownScan(scan),
    tailNumber: scan.aircraft.tailNumber,
    ...(await comparisonOf(member, scan)),
    requestId: newRequestId(),
  };
});

export const action = signedInPost(async ({ actor, form, params }) => {
  authorize(actor, 'save last readings');
  const member = asMember(actor);
  const { aircraft, meterType, reading } = await scanToSave(member, idFrom(params.id));
  const fields = z.object({ reason: z.string().max(500, 'The reason may have at most 500 characters').optional() });
  return settle(form, fields, { failed: 'Failed to save reading' }, async ({ reason }, requestId) => {
    await saveLastReading(db, member, { aircraftId: aircraft.id, meterType, reading, reason }, requestId);
    return redirectWith(paths.fleet, success('Reading saved', `${aircraft.tailNumber} now stands at ${reading}.`));
  });
});

/** Seen when a scan could not be saved at once: for want of a reason, or because the aircraft has gone. */
export default function SaveScanned() {
  const { scan, tailNumber, note, saving, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  return (
    <Screen title="Save reading" back toast={useToast(reply)} width="form">
      <Card title={tailNumber} placard>
        <ScanResult scan={scan} />
        {note && <ReadingNote note={{ tone: 'caution', text: note }} />}
        {saving ? (
          <SaveReading saving={saving} requestId={requestId} reply={reply} />
        ) : (
          <Notice tone="info">This reading cannot be saved as the last one now.</Notice>
        )}
      </Card>
    </Screen>
  );
}
