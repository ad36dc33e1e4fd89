import type { ComponentProps, ReactNode } from 'react';
import { Field } from './field.tsx';
import { controlProps, initialText, type FormField } from './form-field.ts';
import { acceptDecimalComma } from './accept-decimal-comma.ts';

type InputProps = Omit<ComponentProps<'input'>, 'id' | 'name' | 'className' | 'style' | 'defaultValue' | 'value'>;

interface TextFieldProps extends InputProps {
  field: FormField;
  label: ReactNode;
  hint?: ReactNode;
  noteIds?: string[];
}

export function TextField({ field, label, hint, noteIds, required, type = 'text', ...rest }: TextFieldProps) {
  return (
    <Field field={field} label={label} hint={hint}>
      <input
        {...rest}
        {...controlProps(field, { hint, required, noteIds })}
        ref={type === 'number' ? acceptDecimalComma : undefined}
        type={type}
        defaultValue={type === 'password' ? undefined : initialText(field)}
      />
    </Field>
  );
}
