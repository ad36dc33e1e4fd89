import { ReadingField } from '#app/features/meters/reading-field.tsx';
import { type FormField, SelectField, TextField } from '#app/ui/forms/fields.tsx';

interface DueAtFieldsProps {
  fields: Record<'dueAt' | 'dueReading' | 'dueDate', FormField>;
  label: string;
}

const OPTIONS = [
  { value: 'hobbs', label: 'Hobbs' },
  { value: 'tach', label: 'Tach' },
  { value: 'date', label: 'Date' },
];

/** Asks for a reading or a date; styles hide the field that does not belong to the choice. */
export function DueAtFields({ fields, label }: DueAtFieldsProps) {
  return (
    <div className="due-at">
      <SelectField field={fields.dueAt} label={label} options={OPTIONS} required />
      <div className="due-at-reading">
        <ReadingField field={fields.dueReading} label="Reading" isOptional />
      </div>
      <div className="due-at-date">
        <TextField field={fields.dueDate} label="Date" type="date" />
      </div>
    </div>
  );
}
