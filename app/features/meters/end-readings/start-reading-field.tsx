import type { FormField } from '#app/ui/forms/fields.tsx';
import { ReadingField } from '../reading-field.tsx';

interface StartReadingFieldProps {
  field: FormField;
  label: string;
  value: string;
}

export function StartReadingField({ field, label, value }: StartReadingFieldProps) {
  return (
    <div className="start-reading">
      <p>{`Was the start reading wrong? It says ${value}.`}</p>
      <p className="hint">Leave the field empty if it was right.</p>
      <ReadingField field={field} label={label} isOptional />
    </div>
  );
}
