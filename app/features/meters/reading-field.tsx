import type { FormEventHandler, ReactNode } from 'react';
import { Field } from '#app/ui/forms/field.tsx';
import { controlProps, initialText, type FormField } from '#app/ui/forms/form-field.ts';

interface ReadingFieldProps {
  field: FormField;
  label: ReactNode;
  hint?: ReactNode;
  required?: boolean;
  /** Has the focus when the page comes. */
  focused?: boolean | undefined;
  /** Ids of remarks on it. */
  remarks?: string[];
  onInput?: FormEventHandler<HTMLInputElement>;
  /** After the input: photo, thumbnail, 'Use last reading'. */
  children?: ReactNode;
}

/** A meter reading typed by hand: large figures, decimal keys on a phone, and room for ways to fill it. */
export function ReadingField({ field, label, hint, required, focused, remarks, onInput, children }: ReadingFieldProps) {
  return (
    <Field field={field} label={label} hint={hint}>
      <input
        {...controlProps(field, { hint, required, noteIds: remarks })}
        className="reading-input"
        type="text"
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        defaultValue={initialText(field)}
        // eslint-disable-next-line jsx-a11y/no-autofocus -- only where the page comes back with this field filled
        autoFocus={focused}
        onInput={onInput}
      />
      {children && <div className="field-extras">{children}</div>}
    </Field>
  );
}
