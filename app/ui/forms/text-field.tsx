import type { ComponentProps, ReactNode } from 'react';
import { Field } from './field.tsx';
import { controlProps, initialText, type FormField } from './form-field.ts';

type InputProps = Omit<ComponentProps<'input'>, 'id' | 'name' | 'className' | 'style' | 'defaultValue' | 'value'>;

interface TextFieldProps extends InputProps {
  field: FormField;
  label: ReactNode;
  hint?: ReactNode;
  /** A unit after the input, such as 'quarts'. */
  suffix?: string;
}

/** One line of text, a number or a time. A password never comes back from the server. */
export function TextField({ field, label, hint, suffix, required, type = 'text', ...rest }: TextFieldProps) {
  return (
    <Field field={field} label={label} hint={hint}>
      <div className="input-group">
        <input
          {...rest}
          {...controlProps(field, { hint, required })}
          type={type}
          defaultValue={type === 'password' ? undefined : initialText(field)}
        />
        {suffix && <span className="input-suffix">{suffix}</span>}
      </div>
    </Field>
  );
}
