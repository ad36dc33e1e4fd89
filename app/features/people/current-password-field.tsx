import { type FormField, TextField } from '#app/ui/forms/fields.tsx';

export function CurrentPasswordField({ field }: { field: FormField }) {
  return <TextField field={field} label="Current Password" type="password" autoComplete="current-password" required />;
}
