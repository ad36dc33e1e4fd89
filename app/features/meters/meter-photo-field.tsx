import type { ChangeEvent, SyntheticEvent } from 'react';
import type { ScanView } from '#app/domain/meters/scan-view.ts';
import { Button } from '#app/ui/button.tsx';
import { PhotoField } from '#app/ui/forms/photo-field.tsx';
import { type FormField, plainField } from '#app/ui/forms/form-field.ts';
import { HiddenField } from '#app/ui/forms/hidden-field.tsx';
import { RadioGroup } from '#app/ui/forms/radio-group.tsx';
import { setInputValue } from '#app/ui/forms/set-input-value.ts';
import { useHydrated } from '#app/ui/hooks/use-hydrated.ts';
import { FillButton } from './fill-button.tsx';
import { ScanResult } from './scan-result.tsx';

interface MeterPhotoFieldProps {
  field: FormField;
  readingId: string;
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
  const { field, readingId, label, intent, isReading, readPhoto, scan, scanFieldName, noteId } = props;
  return (
    <div className="meter-photo-field">
      {scan?.id != null && <HiddenField name={scanFieldName} value={String(scan.id)} />}
      <ScanResult scan={scan} noteId={noteId} />
      {scan && scan.choices.length > 0 && (
        <LastFigureChoice
          key={scan.id}
          scan={scan}
          name={scanFieldName.replace('Scan', 'Choice')}
          readingId={readingId}
        />
      )}
      {scan?.other != null && (
        <FillButton
          fieldId={readingId}
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

interface LastFigureChoiceProps {
  scan: ScanView;
  /** Field that takes the choice without a script: what was read and what is chosen. */
  name: string;
  readingId: string;
}

/** Asks which of two figures the last drum shows; with a script a tap fills the reading, which alone is sent then. */
function LastFigureChoice({ scan: { choices, detectedText }, name, readingId }: LastFigureChoiceProps) {
  const isHydrated = useHydrated();
  const valueOf = (choice: string) => `${detectedText} ${choice}`;
  const fill = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const input = document.getElementById(readingId);
    if (input instanceof HTMLInputElement) setInputValue(input, currentTarget.value.split(' ')[1] ?? '');
  };
  return (
    <RadioGroup
      field={plainField(name, valueOf(detectedText))}
      label="What does the last drum show?"
      options={choices.map((choice) => ({ value: valueOf(choice), label: choice }))}
      form={isHydrated ? '' : undefined}
      onChange={fill}
    />
  );
}
