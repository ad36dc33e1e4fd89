import { type ComponentProps, type ReactNode, useState } from 'react';
import type { ScanView } from '#app/domain/meters/scan-view.ts';
import type { FormField } from '#app/ui/forms/form-field.ts';
import { ReadingField } from './reading-field.tsx';
import { MeterPhotoField } from './meter-photo-field.tsx';

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

/** A meter reading, typed or filled from a photo. */
export function MeterReadingField(props: MeterReadingFieldProps) {
  const { meter, label, aircraftId, reading, photo, scanFieldName, getNote, hasInitialFocus, children } = props;
  const [scan, setScan] = useState(props.scan);
  const showScan = (found: ScanView) => {
    setScan(found);
    props.onScan?.(found);
  };
  const { meterType, ...photoProps } = METER_PHOTOS[meter];
  const scanNoteId = `${reading.id}-scan-note`;
  return (
    <>
      <ReadingField
        field={reading}
        label={label}
        getNote={getNote}
        hasInitialFocus={hasInitialFocus}
        noteIds={[scanNoteId]}
      >
        {children}
      </ReadingField>
      <MeterPhotoField
        {...photoProps}
        field={photo}
        target={{ aircraftId, meterType, readingId: reading.id, onScan: showScan }}
        scan={scan}
        scanFieldName={scanFieldName}
        noteId={scanNoteId}
      />
    </>
  );
}
