import { type MouseEvent, useState } from 'react';
import type { ScanView } from '#app/domain/meters/scan-view.ts';
import type { MeterTarget } from '#app/islands/camera/meter-target.ts';
import { Button } from '#app/ui/button.tsx';
import { CameraButton } from './camera-button.tsx';
import { PhotoField } from '#app/ui/forms/photo-field.tsx';
import type { FormField } from '#app/ui/forms/form-field.ts';
import { HiddenField } from '#app/ui/forms/hidden-field.tsx';
import { ScanResult } from './scan-result.tsx';

interface MeterPhotoProps {
  field: FormField;
  label: string;
  meter: MeterTarget;
  /** What the button asks the server to read, as in 'read-hobbs'. */
  intent: string;
  /** The photo whose reading fills the field, and the field it travels in. */
  scan: ScanView | null;
  scanName: string;
  doubtId: string;
}

/** A way to fill a reading: a photo of the meter, which the server reads. Stands below the reading's own field. */
export function MeterPhotoField({ field, label, meter, intent, scan, scanName, doubtId }: MeterPhotoProps) {
  const { busy, readInPlace } = useReadInPlace(field.id, meter);
  return (
    <div className="meter-photo-field">
      {scan && <HiddenField name={scanName} value={String(scan.id)} />}
      <ScanResult scan={scan} doubtId={doubtId} />
      <div className="photo-input">
        <PhotoField field={field} label={label} />
        <Button name="intent" value={intent} aria-disabled={busy || undefined} onClick={readInPlace}>
          {busy ? 'Reading...' : 'Read photo'}
        </Button>
        <CameraButton label={label} fileInputId={field.id} target={meter} />
      </div>
    </div>
  );
}

/** With script the chosen photo is made small, read and filled in without leaving the page; else the form is sent. */
function useReadInPlace(photoId: string, meter: MeterTarget) {
  const [busy, setBusy] = useState(false);
  const readInPlace = (event: MouseEvent<HTMLButtonElement>) => {
    const button = event.currentTarget;
    const input = document.getElementById(photoId);
    if (busy) event.preventDefault();
    if (busy || !(input instanceof HTMLInputElement) || !input.files?.[0]) return;
    event.preventDefault();
    setBusy(true);
    import('#app/islands/camera/read-chosen-photo.ts')
      .then(({ readChosenPhoto }) => readChosenPhoto(input, meter))
      .catch(() => button.form?.requestSubmit(button))
      .finally(() => setBusy(false));
  };
  return { busy, readInPlace };
}
