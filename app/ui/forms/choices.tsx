import type { ComponentProps, ReactNode } from 'react';
import { FieldError, FieldHint, controlProps, type FormField } from './fields.tsx';

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

interface RadioGroupProps extends Pick<ComponentProps<'input'>, 'form' | 'onChange'> {
  field: FormField;
  label: ReactNode;
  options: { value: string; label: ReactNode }[];
  chosen?: string;
}

export function RadioGroup({ field, label, options, chosen, ...rest }: RadioGroupProps) {
  const { id, name, errors, errorId, initialValue } = field;
  return (
    <fieldset className="field" data-invalid={errors ? '' : undefined} aria-describedby={errors && errorId}>
      <legend>{label}</legend>
      <FieldError field={field} />
      <div className="radio-options">
        {options.map((option, index) => (
          <FormCheck
            {...rest}
            {...option}
            key={option.value}
            // The first has the id that the error summary links to.
            id={index ? `${id}-${index}` : id}
            name={name}
            type="radio"
            {...(chosen === undefined
              ? { defaultChecked: initialValue === option.value }
              : { checked: chosen === option.value })}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface ConditionalFieldsProps {
  control: ReactNode;
  children: ReactNode;
}

/** Hides the fields by CSS until the control is on; the server ignores or refuses them while it is off. */
export function ConditionalFields({ control, children }: ConditionalFieldsProps) {
  return (
    <div className="conditional-fields">
      {control}
      <div className="conditional-fields-body">{children}</div>
    </div>
  );
}
