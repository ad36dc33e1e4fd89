import { Field } from './field.tsx';
import { controlProps, type FormField } from './form-field.ts';

interface FileFieldProps {
  field: FormField;
  label: string;
  hint?: string;
  required?: boolean;
  /** Endings of file names, comma separated. */
  accept: string;
}

/** A file input, whose form needs `encType="multipart/form-data"`. */
export function FileField({ field, label, hint, required, accept }: FileFieldProps) {
  return (
    <Field field={field} label={label} hint={hint}>
      <input {...controlProps(field, { hint, required })} type="file" accept={accept} />
    </Field>
  );
}
