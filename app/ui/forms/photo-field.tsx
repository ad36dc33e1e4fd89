import { Field } from './field.tsx';
import { controlProps, type FormField } from './form-field.ts';

interface PhotoFieldProps {
  field: FormField;
  label: string;
  required?: boolean;
}

/** A file input that opens the rear camera on a phone; its form needs `encType="multipart/form-data"`. */
export function PhotoField({ field, label, required }: PhotoFieldProps) {
  return (
    <Field field={field} label={label}>
      <input {...controlProps(field, { required })} type="file" accept="image/*" capture="environment" />
    </Field>
  );
}
