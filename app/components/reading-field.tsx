import type { FormEventHandler, ReactNode } from 'react';
import { FieldFrame } from './field-frame.tsx';
import { controlProps, textOf, type FormField } from './form-field.ts';

interface ReadingFieldProps {
  field: FormField;
  label: ReactNode;
  hint?: ReactNode;
  required?: boolean;
  /** A value the server put there, from a photo or the last flight: it replaces what is in the field. */
  filled?: string | undefined;
  onInput?: FormEventHandler<HTMLInputElement>;
  /** After the input: photo, thumbnail, 'Use last reading'. */
  children?: ReactNode;
}

/** A meter reading typed by hand: large figures, decimal keys on a phone, and room for ways to fill it. */
export function ReadingField({ field, label, hint, required, filled, onInput, children }: ReadingFieldProps) {
  return (
    <FieldFrame field={field} label={label} hint={hint}>
      <input
        // React leaves an input that was typed in alone, so a filled value needs an input of its own.
        key={filled}
        {...controlProps(field, { hint, required })}
        className="reading-input"
        type="text"
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        defaultValue={filled ?? textOf(field)}
        onInput={onInput}
      />
      {children && <div className="field-after">{children}</div>}
    </FieldFrame>
  );
}
