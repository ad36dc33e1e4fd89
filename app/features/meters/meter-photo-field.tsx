import { type MouseEvent, useState } from 'react';
import type { ScanView } from '#app/domain/meters/scan-view.ts';
import type { MeterTarget } from '#app/islands/camera/meter-target.ts';
import { Button } from '#app/ui/button.tsx';
import { CameraButton } from './camera-button.tsx';
import { PhotoField } from '#app/ui/forms/photo-field.tsx';
import type { FormField } from '#app/ui/forms/form-field.ts';
import { HiddenField } from '#app/ui/forms/hidden-field.tsx';
import { FillButton } from './fill-button.tsx';
import { ScanResult } from './scan-result.tsx';

interface MeterPhotoFieldProps {
  field: FormField;
  label: string;
  target: MeterTarget;
  intent: string;
  scan: ScanView | null;
  scanFieldName: string;
  noteId: string;
}

/** Fills a reading from a photo of its meter. */
export function MeterPhotoField({ field, label, target, intent, scan, scanFieldName, noteId }: MeterPhotoFieldProps) {
  const { isReading, readPhoto } = usePhotoReading(field.id, target);
  return (
    <div className="meter-photo-field">
      {scan && <HiddenField name={scanFieldName} value={String(scan.id)} />}
      <ScanResult scan={scan} noteId={noteId} />
      {scan?.other != null && (
        <FillButton
          fieldId={target.readingId}
          value={scan.other}
          intent={intent.replace('read', 'use-other')}
          label={`Use ${scan.other}`}
        />
      )}
      <div className="photo-input">
        <PhotoField field={field} label={label} />
        <Button name="intent" value={intent} aria-disabled={isReading || undefined} onClick={readPhoto}>
          {isReading ? 'Reading...' : 'Read photo'}
        </Button>
        <CameraButton label={label} fileInputId={field.id} target={target} />
      </div>
    </div>
  );
}

/** Reads the photo without leaving the page; submits the form where that fails. */
function usePhotoReading(fileInputId: string, target: MeterTarget) {
  const [isReading, setIsReading] = useState(false);
  const readPhoto = (event: MouseEvent<HTMLButtonElement>) => {
    const button = event.currentTarget;
    const input = document.getElementById(fileInputId);
    if (isReading) event.preventDefault();
    if (isReading || !(input instanceof HTMLInputElement) || !input.files?.[0]) return;
    event.preventDefault();
    setIsReading(true);
    import('#app/islands/camera/read-selected-photo.ts')
      .then(({ readSelectedPhoto }) => readSelectedPhoto(input, target))
      .catch(() => button.form?.requestSubmit(button))
      .finally(() => setIsReading(false));
  };
  return { isReading, readPhoto };
}
