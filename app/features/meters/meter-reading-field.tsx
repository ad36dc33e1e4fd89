import { type ComponentProps, type ReactNode, useState, type SyntheticEvent } from 'react';
import type { ScanView } from '#app/domain/meters/scan-view.ts';
import type { FormField } from '#app/ui/forms/fields.tsx';
import { ReadingField } from './reading-field.tsx';
import { CameraButton } from './camera-button.tsx';
import { MeterPhotoField } from './meter-photo-field.tsx';
import type { MeterTarget } from '#app/islands/camera/analyze-image.ts';

export type MeterKey = 'hobbs' | 'tach';

export type MeterScans = Record<MeterKey, ScanView | null>;

const METER_PHOTOS = {
  hobbs: { label: 'Photo of the Hobbs meter', meterType: 'hobbs', intent: 'read-hobbs' },
  tach: { label: 'Photo of the tachometer', meterType: 'tachometer', intent: 'read-tach' },
} as const;

interface MeterReadingFieldProps {
  meter: MeterKey;
  label: string;
  aircraftId: number;
  reading: FormField;
  photo: FormField;
  scan: ScanView | null;
  onScan?: (scan: ScanView) => void;
  scanFieldName: string;
  getNote: ComponentProps<typeof ReadingField>['getNote'];
  hasInitialFocus: boolean;
  children?: ReactNode;
}

export function MeterReadingField(props: MeterReadingFieldProps) {
  const { meter, label, aircraftId, reading, photo, scanFieldName, getNote, hasInitialFocus, children } = props;
  const [scan, setScan] = useState(props.scan);
  const showScan = (found: ScanView) => {
    setScan(found);
    props.onScan?.(found);
  };
  const { meterType, ...photoProps } = METER_PHOTOS[meter];
  const target = { aircraftId, meterType, readingId: reading.id, onScan: showScan };
  const { isReading, readPhoto } = usePhotoReading(photo.id, photoProps.intent, target);
  const scanNoteId = `${reading.id}-scan-note`;
  return (
    <>
      <ReadingField
        field={reading}
        label={label}
        getNote={getNote}
        hasInitialFocus={hasInitialFocus}
        noteIds={[scanNoteId]}
        action={<CameraButton label={photoProps.label} fileInputId={photo.id} target={target} isReading={isReading} />}
      >
        {children}
      </ReadingField>
      <MeterPhotoField
        {...photoProps}
        field={photo}
        reading={reading}
        isReading={isReading}
        readPhoto={readPhoto}
        scan={scan}
        scanFieldName={scanFieldName}
        noteId={scanNoteId}
      />
    </>
  );
}

/** Reads the chosen photo without leaving the page; if that fails, it submits the form with the intent. */
function usePhotoReading(fileInputId: string, intent: string, target: MeterTarget) {
  const [isReading, setIsReading] = useState(false);
  const readPhoto = (event: SyntheticEvent) => {
    const input = document.getElementById(fileInputId);
    if (isReading) event.preventDefault();
    if (isReading || !(input instanceof HTMLInputElement) || !input.files?.[0]) return;
    event.preventDefault();
    setIsReading(true);
    import('#app/islands/camera/read-selected-photo.ts')
      .then(({ readSelectedPhoto }) => readSelectedPhoto(input, target))
      .catch(() => input.form?.requestSubmit(input.form.querySelector<HTMLButtonElement>(`[value=${intent}]`)))
      .finally(() => setIsReading(false));
  };
  return { isReading, readPhoto };
}
