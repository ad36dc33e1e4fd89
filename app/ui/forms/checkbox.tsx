import type { ComponentProps, ReactNode } from 'react';
import { FieldError, FieldHint } from './field.tsx';
import { controlProps, type FormField } from './form-field.ts';

interface CheckboxProps {
  field: FormField;
  label: ReactNode;
  hint?: ReactNode;
  required?: boolean;
}

export function Checkbox(props: CheckboxProps) {
  return <CheckboxInput {...props} />;
}

export function Switch(props: CheckboxProps) {
  // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- the browser takes it from the checkbox
  return <CheckboxInput {...props} role="switch" />;
}

function CheckboxInput({ field, label, hint, required, role }: CheckboxProps & { role?: 'switch' }) {
  return (
    <div className="field" data-invalid={field.errors ? '' : undefined}>
      <FieldError field={field} />
      <FormCheck
        {...controlProps(field, { hint, required })}
        label={label}
        type="checkbox"
        role={role}
        value="on"
        defaultChecked={field.initialValue === 'on'}
      />
      <FieldHint field={field} hint={hint} />
    </div>
  );
}

export function FormCheck({ label, ...rest }: ComponentProps<'input'> & { label: ReactNode }) {
  return (
    <div className="form-check">
      <input {...rest} />
      <label htmlFor={rest.id}>{label}</label>
    </div>
  );
}
