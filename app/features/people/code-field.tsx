import { type FormField, TextField } from '#app/ui/forms/fields.tsx';

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
