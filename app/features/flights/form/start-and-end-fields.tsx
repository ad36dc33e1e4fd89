import type { ReactNode } from 'react';
import {
  MeterChangeFields,
  type MeterChangeFieldName,
} from '#app/features/meters/end-readings/meter-change-fields.tsx';
import { ReadingField } from '#app/features/meters/reading-field.tsx';
import { Card } from '#app/ui/card.tsx';
import { Checkbox } from '#app/ui/forms/checkbox.tsx';
import type { FormField } from '#app/ui/forms/form-field.ts';

interface StartAndEndFieldsProps {
  fields: Record<
    'startHobbsTime' | 'endHobbsTime' | 'startTachTime' | 'endTachTime' | 'readAgain' | MeterChangeFieldName,
    FormField
  >;
  /** The flight has no end yet. */
  isOpen?: boolean;
  asksToReadAgain?: boolean;
  children?: ReactNode;
}

/** The readings of a flight that is written down or put right, each with its start. */
export function StartAndEndFields({ fields, isOpen = false, asksToReadAgain, children }: StartAndEndFieldsProps) {
  return (
    <Card title="Meter Readings">
      <ReadingField field={fields.startHobbsTime} label="Start Hobbs" />
      {!isOpen && <ReadingField field={fields.endHobbsTime} label="End Hobbs" />}
      {!isOpen && <MeterChangeFields fields={fields} meter="hobbs" />}
      <ReadingField field={fields.startTachTime} label="Start Tach" />
      {!isOpen && <ReadingField field={fields.endTachTime} label="End Tach" />}
      {!isOpen && <MeterChangeFields fields={fields} meter="tach" />}
      {(asksToReadAgain || fields.readAgain.errors) && (
        <Checkbox field={fields.readAgain} label="I have read the meter again" required />
      )}
      {children}
    </Card>
  );
}
