import { useId } from 'react';
import { TextField } from './text-field.tsx';

interface FilterDateProps {
  name: string;
  label: string;
  /** As '2026-05-12', or empty. */
  value: string;
}

export function FilterDate({ name, label, value }: FilterDateProps) {
  const id = useId();
  const field = {
    id,
    name,
    errorId: `${id}-error`,
    descriptionId: `${id}-hint`,
    errors: undefined,
    initialValue: value,
  };
  return <TextField field={field} label={label} type="date" />;
}
