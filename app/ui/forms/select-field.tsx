import type { ReactNode } from 'react';
import { Field } from './field.tsx';
import { controlProps, initialText, type FormField } from './form-field.ts';

export interface SelectOption {
  value: string;
  label: string;
  disabled?: boolean;
}

export interface SelectOptionGroup {
  label: string;
  options: SelectOption[];
}

interface SelectFieldProps {
  field: FormField;
  label: ReactNode;
  options: (SelectOption | SelectOptionGroup)[];
  hint?: ReactNode;
  required?: boolean;
}

export function SelectField({ field, label, options, hint, required }: SelectFieldProps) {
  return (
    <Field field={field} label={label} hint={hint}>
      <select {...controlProps(field, { hint, required })} defaultValue={initialText(field)}>
        {options.map((entry) =>
          'options' in entry ? (
            <optgroup key={entry.label} label={entry.label}>
              {entry.options.map(toOption)}
            </optgroup>
          ) : (
            toOption(entry)
          ),
        )}
      </select>
    </Field>
  );
}

function toOption({ value, label, disabled }: SelectOption) {
  return (
    <option key={value} value={value} disabled={disabled}>
      {label}
    </option>
  );
}
