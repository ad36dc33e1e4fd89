import { type FormField, SelectField, TextField } from '#app/ui/forms/fields.tsx';
import { DueAtFields } from './due-at-fields.tsx';

export interface InspectionFormValues {
  name: string;
  dueAt: string;
  dueReading: string;
  dueDate: string;
  interval: string;
  intervalUnit: string;
}

const UNITS = [
  { value: 'hours', label: 'hours' },
  { value: 'days', label: 'days' },
  { value: 'months', label: 'months' },
];

export function InspectionFields({ fields }: { fields: Record<keyof InspectionFormValues, FormField> }) {
  return (
    <>
      <TextField field={fields.name} label="Name" hint="e.g. 100 h inspection" autoComplete="off" required />
      <DueAtFields fields={fields} label="Due at" />
      <TextField
        field={fields.interval}
        label="Interval (optional)"
        hint="Leave it empty if it is due once"
        inputMode="decimal"
        autoComplete="off"
      />
      <SelectField field={fields.intervalUnit} label="Unit of the interval" options={UNITS} />
    </>
  );
}
