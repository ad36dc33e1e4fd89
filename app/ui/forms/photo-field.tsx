import { Field } from './field.tsx';
import { controlProps, type FormField } from './form-field.ts';

interface PhotoFieldProps {
  field: FormField;
  label: string;
  hint?: string;
  required?: boolean;
  /** True for several photos; a phone then offers its camera and its gallery. */
  isMultiple?: boolean;
}

/** A file input that opens the rear camera on a phone; its form needs `encType="multipart/form-data"`. */
export function PhotoField({ field, label, hint, required, isMultiple = false }: PhotoFieldProps) {
  return (
    <Field field={field} label={label} hint={hint}>
      <input
        {...controlProps(field, { hint, required })}
        type="file"
        accept="image/*"
        capture={isMultiple ? undefined : 'environment'}
        multiple={isMultiple}
      />
    </Field>
  );
}
