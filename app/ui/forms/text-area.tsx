import type { ReactNode } from 'react';
import { Field } from './field.tsx';
import { controlProps, initialText, type FormField } from './form-field.ts';

interface TextAreaProps {
  field: FormField;
  label: ReactNode;
  required?: boolean;
  placeholder?: string;
  rows?: number;
}

export function TextArea({ field, label, required, placeholder, rows = 4 }: TextAreaProps) {
  return (
    <Field field={field} label={label}>
      <textarea
        {...controlProps(field, { required })}
        rows={rows}
        placeholder={placeholder}
        defaultValue={initialText(field)}
      />
    </Field>
  );
}
