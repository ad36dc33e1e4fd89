import { type ChangeEvent, type SyntheticEvent, useEffect, useState } from 'react';
import type { ScanView } from '#app/domain/meters/scan-view.ts';
import { parseReading } from '#app/domain/reading.ts';
import { Button } from '#app/ui/elements.tsx';
import { PhotoField } from '#app/ui/forms/file-field.tsx';
import { type FormField, initialText, plainField, HiddenField } from '#app/ui/forms/fields.tsx';
import { RadioGroup } from '#app/ui/forms/choices.tsx';
import { setInputValue } from '#app/ui/forms/set-input-value.ts';
import { useHydrated } from '#app/ui/hooks/use-hydrated.ts';
import { FillButton } from './fill-button.tsx';
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
      {scan?.id != null && <HiddenField name={scanFieldName} value={scan.id} />}
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

interface LastFigureChoiceProps {
  /** Field that takes the choice without a script: what the reading showed and what is chosen. */
  name: string;
  choices: string[];
  reading: FormField;
}

/** Asks which of two figures the last drum shows; with a script a tap fills the reading, which alone is sent then. */
function LastFigureChoice({ name, choices, reading }: LastFigureChoiceProps) {
  const isHydrated = useHydrated();
  const rendered = initialText(reading) ?? '';
  const shown = useShownReading(reading.id, rendered);
  const valueOf = (choice: unknown) => `${rendered} ${choice}`;
  const fill = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const input = document.getElementById(reading.id);
    if (input instanceof HTMLInputElement) setInputValue(input, currentTarget.value.slice(valueOf('').length));
  };
  return (
    <RadioGroup
      field={plainField(name, undefined)}
      label="What does the last drum show?"
      options={choices.map((choice) => ({ value: valueOf(choice), label: choice }))}
      chosen={valueOf(parseReading(shown))}
      form={isHydrated ? '' : undefined}
      onChange={fill}
    />
  );
}

function useShownReading(readingId: string, rendered: string): string {
  const [shown, setShown] = useState(rendered);
  useEffect(() => {
    const input = document.getElementById(readingId);
    if (!(input instanceof HTMLInputElement)) return undefined;
    const read = () => setShown(input.value);
    read();
    input.addEventListener('input', read);
    return () => input.removeEventListener('input', read);
  }, [readingId]);
  return shown;
}
