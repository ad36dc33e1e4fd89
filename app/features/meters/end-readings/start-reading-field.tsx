import type { FormField } from '#app/ui/forms/form-field.ts';
import { ReadingField } from '../reading-field.tsx';

interface StartReadingFieldProps {
  field: FormField;
  label: string;
  /** Reading as it was entered at the check-out. */
  value: string;
}

/** Corrects a start reading together with its end. */
export function StartReadingField({ field, label, value }: StartReadingFieldProps) {
  return (
    <div className="start-reading">
      <p>{`Was the start reading wrong? It says ${value}.`}</p>
      <p className="hint">Leave the field empty if it was right.</p>
      <ReadingField field={field} label={label} isOptional />
    </div>
  );
}
