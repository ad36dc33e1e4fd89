import type { ReactNode } from 'react';
import type { FormField } from './form-field.ts';

interface FieldProps {
  field: FormField;
  label: ReactNode;
  hint?: ReactNode;
  children: ReactNode;
}

export function Field({ field, label, hint, children }: FieldProps) {
  return (
    <div className="field" data-invalid={field.errors ? '' : undefined}>
      <label htmlFor={field.id}>{label}</label>
      <FieldHint field={field} hint={hint} />
      <FieldError field={field} />
      {children}
    </div>
  );
}

export function FieldHint({ field, hint }: { field: FormField; hint?: ReactNode }) {
  return hint ? (
    <p className="hint" id={field.descriptionId}>
      {hint}
    </p>
  ) : null;
}

export function FieldError({ field }: { field: FormField }) {
  return field.errors ? (
    <p className="error" id={field.errorId}>
      {field.errors[0]}
    </p>
  ) : null;
}
