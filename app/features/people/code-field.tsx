import type { FormField } from '#app/ui/forms/form-field.ts';
import { TextField } from '#app/ui/forms/text-field.tsx';

export function CodeField({ field, hint = 'Six digits, or a recovery code' }: { field: FormField; hint?: string }) {
  return (
    <TextField
      field={field}
      label="Code"
      hint={hint}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      required
    />
  );
}
