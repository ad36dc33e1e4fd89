import type { ReactNode } from 'react';
import { FieldError } from './field.tsx';
import { controlProps, type FormField } from './form-field.ts';

interface RadioGroupProps {
  field: FormField;
  label: ReactNode;
  options: { value: string; label: ReactNode }[];
  required?: boolean;
}

export function RadioGroup({ field, label, options, required }: RadioGroupProps) {
  const { id, name, 'aria-describedby': describedBy } = controlProps(field, { required });
  return (
    <fieldset className="field" data-invalid={field.errors ? '' : undefined} aria-describedby={describedBy}>
      <legend>{label}</legend>
      <FieldError field={field} />
      <div className="radio-options">
        {options.map((option, index) => {
          // The first radio has the field's id, which the error summary links to.
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
