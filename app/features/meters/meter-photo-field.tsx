import type { SyntheticEvent } from 'react';
import type { ScanView } from '#app/domain/meters/scan-view.ts';
import { Button } from '#app/ui/button.tsx';
import { PhotoField } from '#app/ui/forms/photo-field.tsx';
import type { FormField } from '#app/ui/forms/form-field.ts';
import { HiddenField } from '#app/ui/forms/hidden-field.tsx';
import { FillButton } from './fill-button.tsx';
import { LastFigureChoice } from './last-figure-choice.tsx';
import { ScanResult } from './scan-result.tsx';

interface MeterPhotoFieldProps {
  field: FormField;
  reading: FormField;
  label: string;
  intent: string;
  isReading: boolean;
  readPhoto: (event: SyntheticEvent) => void;
  scan: ScanView | null;
  scanFieldName: string;
  noteId: string;
}

/** Fills a reading from a photo of its meter; CSS hides file and button where the camera button does their work. */
export function MeterPhotoField(props: MeterPhotoFieldProps) {
  const { field, reading, label, intent, isReading, readPhoto, scan, scanFieldName, noteId } = props;
  return (
    <div className="meter-photo-field">
      {scan?.id != null && <HiddenField name={scanFieldName} value={String(scan.id)} />}
      <ScanResult scan={scan} noteId={noteId} />
      {scan && scan.choices.length > 0 && (
        <LastFigureChoice
          key={scan.id}
          name={scanFieldName.replace('Scan', 'Choice')}
          choices={scan.choices}
          reading={reading}
        />
      )}
      {scan?.other != null && (
        <FillButton
          fieldId={reading.id}
          value={scan.other}
          intent={intent.replace('read', 'use-other')}
          label={`Use ${scan.other}`}
        />
      )}
      <div className="photo-input" onChange={readPhoto}>
        <PhotoField field={field} label={label} />
        <Button name="intent" value={intent} aria-disabled={isReading || undefined} onClick={readPhoto}>
          Read photo
        </Button>
      </div>
    </div>
  );
}
