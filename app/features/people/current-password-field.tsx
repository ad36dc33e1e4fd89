import { type FormField, TextField } from '#app/ui/forms/fields.tsx';

export function CurrentPasswordField({ field, isRefused = false }: { field: FormField; isRefused?: boolean }) {
  return (
    <TextField
      field={field}
      label="Current Password"
      type="password"
      autoComplete="current-password"
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- only where the page returns with this field emptied
      autoFocus={isRefused}
      required
    />
  );
}
