import type { FormField } from '#app/ui/forms/form-field.ts';
import { TextField } from '#app/ui/forms/text-field.tsx';

export function CurrentPasswordField({ field }: { field: FormField }) {
  return <TextField field={field} label="Current Password" type="password" autoComplete="current-password" required />;
}
