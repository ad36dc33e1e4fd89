import type { ReactNode } from 'react';
import { Field } from './field.tsx';
import { controlProps, initialText, type FormField } from './form-field.ts';

interface TextAreaProps {
  field: FormField;
  label: ReactNode;
  hint?: ReactNode;
  required?: boolean;
  placeholder?: string;
  rows?: number;
  /** For a field whose card already bears its name. */
  labelHidden?: boolean;
}

/** Several lines of text, such as squawks. */
export function TextArea({ field, label, hint, required, placeholder, rows = 4, labelHidden }: TextAreaProps) {
  return (
    <Field field={field} label={labelHidden ? <span className="visually-hidden">{label}</span> : label} hint={hint}>
      <textarea
        {...controlProps(field, { hint, required })}
        rows={rows}
        placeholder={placeholder}
        defaultValue={initialText(field)}
      />
    </Field>
  );
}
