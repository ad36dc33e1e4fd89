import { Field } from './field.tsx';
import { controlProps, type FormField } from './form-field.ts';

interface FileFieldProps {
  field: FormField;
  label: string;
  hint?: string;
  required?: boolean;
  /** Endings of names, comma separated. */
  accept: string;
}

/** Its form needs `encType="multipart/form-data"`. */
export function FileField({ field, label, hint, required, accept }: FileFieldProps) {
  return (
    <Field field={field} label={label} hint={hint}>
      <input {...controlProps(field, { hint, required })} type="file" accept={accept} />
    </Field>
  );
}
