import { Form, useActionData, useLoaderData } from '@remix-run/react';
import { useState } from 'react';
import { ButtonLink } from '../components/button.tsx';
import { CameraButton } from '../components/camera-button.tsx';
import { Card } from '../components/card.tsx';
import { ErrorSummary } from '../components/error-summary.tsx';
import { FileField } from '../components/file-field.tsx';
import { RequestId } from '../components/hidden-field.tsx';
import { RadioGroup } from '../components/radio-group.tsx';
import { SaveReading } from '../components/save-reading.tsx';
import { ScanResult } from '../components/scan-result.tsx';
import { Screen } from '../components/screen.tsx';
import { SelectField } from '../components/select-field.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { useForm } from '../components/use-form.ts';
import { useHydrated } from '../components/use-hydrated.ts';
import { titled, useToast } from '../components/use-root.ts';
import { db } from '../db.server.ts';
import { asMember, type Member } from '../domain/actor.ts';
import { findFleet } from '../domain/aircraft/queries.server.ts';
import { type ScanForm, scanForm } from '../domain/meters/fields.server.ts';
import { UPLOAD_AT_MOST } from '../domain/meters/photo.server.ts';
import { findScan } from '../domain/meters/queries.server.ts';
import { assertScannable, scanMeter } from '../domain/meters/scan-meter.server.ts';
import { METER_CHOICES, shownScan } from '../domain/meters/shown-scan.ts';
import { Refusal } from '../domain/refusal.ts';
import { texts } from '../domain/texts.ts';
import { redirectWith, success } from '../http/flash.server.ts';
import { newRequestId, settle } from '../http/forms.server.ts';
import { idFrom, idIn } from '../http/ids.server.ts';
import { savingOf } from '../http/save-scanned.server.ts';
import { signedIn, signedInPost } from '../http/screen.server.ts';
import { paths } from '../paths.ts';

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
    saving: scan ? await savingOf(asMember(actor), scan) : null,
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
  const { aircraft, chosen, meters, scan, saving, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<ScanForm>({
    id: 'scan',
    lastResult: reply?.result,
    defaultValue: { aircraftId: chosen, meterType: 'hobbs' },
  });
  const incomplete = useIncomplete(chosen !== '');
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
          {saving && <SaveReading key={saving.scanId} saving={saving} requestId={requestId} />}
        </Card>
      )}
      <Card>
        {/* A finished scan leaves a form of its own: the file is cleared (spec §4). */}
        <Form
          key={requestId}
          method="post"
          id={form.id}
          encType="multipart/form-data"
          noValidate
          onChange={incomplete.look}
        >
          <RequestId value={requestId} />
          <SelectField
            field={fields.aircraftId}
            label="Aircraft"
            options={[{ value: '', label: 'Select an aircraft' }, ...aircraft]}
            required
          />
          <RadioGroup field={fields.meterType} label="Meter type" options={meters} required />
          <FileField field={fields.image} label="Photo of the meter" capture="environment" required />
          <CameraButton label="Photo of the meter" photoId={fields.image.id} />
          <SubmitButton pending="Processing..." disabled={incomplete.now}>
            Process Image
          </SubmitButton>
        </Form>
      </Card>
    </Screen>
  );
}

/** With script the button waits for an aircraft and an image; without, the server says what is missing (C72). */
function useIncomplete(aircraftChosen: boolean) {
  const hydrated = useHydrated();
  const [chosen, setChosen] = useState({ aircraft: aircraftChosen, image: false });
  return {
    now: hydrated && !(chosen.aircraft && chosen.image),
    look: ({ currentTarget }: { currentTarget: HTMLFormElement }) => {
      const values = new FormData(currentTarget);
      const image = values.get('image');
      setChosen({ aircraft: values.get('aircraftId') !== '', image: image instanceof File && image.size > 0 });
    },
  };
}
