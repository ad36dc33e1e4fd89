import type { ReactNode } from 'react';
import { FieldError, FieldHint } from './field.tsx';
import { controlProps, type FormField } from './form-field.ts';

interface CheckboxProps {
  field: FormField;
  label: ReactNode;
  hint?: ReactNode;
  required?: boolean;
}

/** A tick; posts 'on'. The whole line is the target. */
export function Checkbox(props: CheckboxProps) {
  return <CheckboxInput {...props} kind="checkbox" />;
}

/** An on/off switch; a native checkbox underneath, so it posts 'on' too. `#{field.id}:checked` is open to `:has()`. */
export function Switch(props: CheckboxProps) {
  return <CheckboxInput {...props} kind="switch" />;
}

function CheckboxInput({ field, label, hint, required, kind }: CheckboxProps & { kind: 'checkbox' | 'switch' }) {
  return (
    <div className="field" data-invalid={field.errors ? '' : undefined}>
      <FieldError field={field} />
      <div className="form-check">
        <input
          {...controlProps(field, { hint, required })}
          type="checkbox"
          role={kind === 'switch' ? 'switch' : undefined}
          value="on"
          defaultChecked={field.initialValue === 'on'}
        />
        <label htmlFor={field.id}>{label}</label>
      </div>
      <FieldHint field={field} hint={hint} />
    </div>
  );
}
