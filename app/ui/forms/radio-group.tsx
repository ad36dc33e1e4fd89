import type { ReactNode } from 'react';
import { FieldError, FieldHint } from './field.tsx';
import { controlProps, type FormField } from './form-field.ts';

interface RadioGroupProps {
  field: FormField;
  label: ReactNode;
  options: { value: string; label: ReactNode }[];
  hint?: ReactNode;
  required?: boolean;
}

/** One of a few choices, all in sight. The first radio bears the field's id, where the error summary leads. */
export function RadioGroup({ field, label, options, hint, required }: RadioGroupProps) {
  const { id, name, 'aria-describedby': describedBy } = controlProps(field, { hint, required });
  return (
    <fieldset className="field" data-invalid={field.errors ? '' : undefined} aria-describedby={describedBy}>
      <legend>{label}</legend>
      <FieldHint field={field} hint={hint} />
      <FieldError field={field} />
      <div className="radio-options">
        {options.map((option, index) => {
          const optionId = index === 0 ? id : `${id}-${option.value}`;
          return (
            <div className="form-check" key={option.value}>
              <input
                id={optionId}
                name={name}
                type="radio"
                value={option.value}
                defaultChecked={field.initialValue === option.value}
              />
              <label htmlFor={optionId}>{option.label}</label>
            </div>
          );
        })}
      </div>
    </fieldset>
  );
}
