import type { ReactNode } from 'react';
import { FormCheck } from './checkbox.tsx';
import { FieldError } from './field.tsx';
import { controlProps, type FormField } from './form-field.ts';

interface CheckboxGroupProps {
  field: FormField;
  label: ReactNode;
  options: { field: FormField; label: ReactNode }[];
}

export function CheckboxGroup({ field, label, options }: CheckboxGroupProps) {
  return (
    <fieldset className="field" data-invalid={field.errors ? '' : undefined}>
      <legend>{label}</legend>
      <FieldError field={field} />
      {options.map((option, index) => {
        // The first has the id that the error summary links to.
        const control = index === 0 ? { ...option.field, id: field.id } : option.field;
        return (
          <FormCheck
            {...controlProps(control, {})}
            key={control.name}
            label={option.label}
            type="checkbox"
            value="on"
            defaultChecked={control.initialValue === 'on'}
          />
        );
      })}
    </fieldset>
  );
}
