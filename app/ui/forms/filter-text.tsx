import { useFilterField } from '../hooks/use-filter-field.ts';
import { TextField } from './text-field.tsx';

interface FilterTextProps {
  name: string;
  label: string;
  value: string;
  maxLength: number;
}

export function FilterText({ name, label, value, maxLength }: FilterTextProps) {
  const field = useFilterField(name, value);
  return <TextField field={field} label={label} type="search" maxLength={maxLength} />;
}
