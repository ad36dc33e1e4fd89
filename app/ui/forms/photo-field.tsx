import type { ChangeEventHandler, ReactNode } from 'react';
import { Field } from './field.tsx';
import { controlProps, type FormField } from './form-field.ts';

interface PhotoFieldProps {
  field: FormField;
  label: ReactNode;
  hint?: ReactNode;
  required?: boolean;
  accept?: string;
  /** Opens the rear camera on a phone without any script. */
  capture?: 'environment';
  onChange?: ChangeEventHandler<HTMLInputElement>;
}

/** A file to send, images unless `accept` says otherwise. Give its form `encType="multipart/form-data"`. */
export function PhotoField({ field, label, hint, required, accept = 'image/*', capture, onChange }: PhotoFieldProps) {
  return (
    <Field field={field} label={label} hint={hint}>
      <input
        {...controlProps(field, { hint, required })}
        type="file"
        accept={accept}
        capture={capture}
        onChange={onChange}
      />
    </Field>
  );
}
