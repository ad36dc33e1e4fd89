import type { ComponentProps, ReactNode } from 'react';
import { FormCheck } from './checkbox.tsx';
import { FieldError } from './field.tsx';
import type { FormField } from './form-field.ts';

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
