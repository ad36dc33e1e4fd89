import { useActionData, useLoaderData } from '@remix-run/react';
import { ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { ErrorSummary } from '#app/ui/forms/error-summary.tsx';
import { ReadingNote } from '#app/features/meters/reading-note.tsx';
import { SaveReading } from '#app/features/meters/save-reading-form.tsx';
import { ScanForm } from './scan-form.tsx';
import { ScanResult } from '#app/features/meters/scan-result.tsx';
import { Screen } from '#app/ui/page/screen.tsx';
import { useForm } from '#app/ui/hooks/use-form.ts';
import { titled, useToast } from '#app/ui/hooks/use-root-data.ts';
import { db } from '#app/server/db.server.ts';
import { asMember, type Member } from '#app/domain/actor.ts';
import { findFleet } from '#app/domain/aircraft/queries.server.ts';
import { type ScanFields, scanForm } from '#app/domain/meters/schema.server.ts';
import { UPLOAD_AT_MOST } from '#app/domain/meters/photos.server.ts';
import { findScan } from '#app/domain/meters/queries.server.ts';
import { assertScannable, scanMeter } from '#app/domain/meters/scan-meter.server.ts';
import { METER_CHOICES, shownScan } from '#app/domain/meters/scan-view.ts';
import { Refusal } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { redirectWith, success } from '#app/server/flash.server.ts';
import { newRequestId, settle } from '#app/server/form-action.server.ts';
import { idFrom, idIn } from '#app/server/ids.server.ts';
import { comparisonOf } from '#app/features/meters/scan-comparison.server.ts';
import { signedIn, signedInPost } from '#app/server/screen.server.ts';
import { paths } from '#app/paths.ts';

export const meta = titled('Scan Meter');

export const loader = signedIn(async ({ actor, url }) => {
  const { schoolId } = actor;
  const fleet = schoolId === null ? [] : await findFleet(db, schoolId);
  const scanId = idFrom(url.searchParams.get('scan'));
  const scan = scanId && schoolId !== null ? await findScan(db, schoolId, scanId) : undefined;
  const chosen = fleet.find(({ id }) => id === idFrom(url.searchParams.get('aircraftId')));
  return {
    aircraft: fleet.map(({ id, tailNumber, make, model }) => ({
      value: String(id),
      label: `${tailNumber} · ${make} ${model}`,
    })),
    chosen: chosen ? String(chosen.id) : '',
    meters: METER_CHOICES,
    scan: scan ? { ...shownScan(scan), tailNumber: scan.aircraft.tailNumber } : null,
    ...(scan ? await comparisonOf(asMember(actor), scan) : { note: null, saving: null }),
    requestId: newRequestId(),
  };
});

export const action = signedInPost(
  ({ actor, form }) => {
    const before = () => assertNamedScannable(asMember(actor), form);
    return settle(form, scanForm, { failed: texts.readingFailed, hide: ['image'], before }, async (input, requestId) => {
      const image = Buffer.from(await input.image.arrayBuffer());
      const scan = await scanMeter(db, asMember(actor), { ...input, image }, requestId);
      if (scan.id === null) throw new Refusal('invalid', texts.nothingDetected);
      return redirectWith(
        paths.scanned(input.aircraftId, scan.id),
        success('Success', 'Meter reading processed successfully'),
      );
    });
  },
  { limit: UPLOAD_AT_MOST + 64 * 1024 },
);

/** Whether the aircraft that the form names is there is said before what is wrong with its fields (C33). */
async function assertNamedScannable(member: Member, form: FormData) {
  const aircraftId = idIn(form, 'aircraftId');
  if (aircraftId !== undefined) await assertScannable(db, member, aircraftId);
}

export default function ScanMeter() {
  const { aircraft, chosen, meters, scan, note, saving, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<ScanFields>({
    id: 'scan',
    lastResult: reply?.result,
    defaultValue: { aircraftId: chosen, meterType: 'hobbs' },
  });
  return (
    <Screen
      title="Scan Meter"
      back
      actions={<ButtonLink to={paths.scanHistory}>Scan History</ButtonLink>}
      lead={<ErrorSummary form={form} />}
      toast={useToast(reply)}
      width="form"
    >
      {scan && (
        <Card title={scan.tailNumber} placard>
          <ScanResult scan={scan} />
          {note && <ReadingNote note={{ tone: 'caution', text: note }} />}
          {saving && <SaveReading key={saving.scanId} saving={saving} requestId={requestId} />}
        </Card>
      )}
      {/* A finished scan leaves a form of its own: the file is cleared (spec §4). */}
      <ScanForm key={requestId} form={form} fields={fields} {...{ aircraft, meters, requestId }} />
    </Screen>
  );
}
