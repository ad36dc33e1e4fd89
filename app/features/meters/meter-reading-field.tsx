import { type ComponentProps, type ReactNode, useState } from 'react';
import type { ScanView } from '#app/domain/meters/scan-view.ts';
import type { FormField } from '#app/ui/forms/form-field.ts';
import { LiveReadingField } from './live-reading-field.tsx';
import { MeterPhotoField } from './meter-photo-field.tsx';

export interface MeterScans {
  hobbs: ScanView | null;
  tach: ScanView | null;
}

const METER_PHOTOS = {
  hobbs: { label: 'Photo of the Hobbs meter', meterType: 'hobbs', intent: 'read-hobbs' },
  tach: { label: 'Photo of the tachometer', meterType: 'tachometer', intent: 'read-tach' },
} as const;

interface MeterReadingProps {
  meter: keyof typeof METER_PHOTOS;
  label: string;
  aircraftId: number;
  reading: FormField;
  photo: FormField;
  /** The photo that the reading was filled from, and the field it travels in. */
  scan: ScanView | null;
  scanName: string;
  noteOf: ComponentProps<typeof LiveReadingField>['noteOf'];
  /** Has the focus when the page comes: it has just been filled. */
  focused: boolean;
  /** After the input: 'Use last reading'. */
  children?: ReactNode;
}

/** A meter's reading, typed or filled in from a photo, with what there is to say of both. */
export function MeterReadingField(props: MeterReadingProps) {
  const { meter, label, aircraftId, reading, photo, scanName, noteOf, focused, children } = props;
  const [scan, setScan] = useState(props.scan);
  const { meterType, ...asked } = METER_PHOTOS[meter];
  const doubtId = `${reading.id}-doubt`;
  return (
    <>
      <LiveReadingField field={reading} label={label} noteOf={noteOf} focused={focused} remarks={[doubtId]}>
        {children}
      </LiveReadingField>
      <MeterPhotoField
        {...asked}
        field={photo}
        meter={{ aircraftId, meterType, readingId: reading.id, onScan: setScan }}
        scan={scan}
        scanName={scanName}
        doubtId={doubtId}
      />
    </>
  );
}
