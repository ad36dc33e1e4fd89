import { useFilterField } from '../hooks/use-filter-field.ts';
import { TextField } from './text-field.tsx';

interface FilterDateProps {
  name: string;
  label: string;
  value: string;
}

export function FilterDate({ name, label, value }: FilterDateProps) {
  const field = useFilterField(name, value);
  return <TextField field={field} label={label} type="date" />;
}
