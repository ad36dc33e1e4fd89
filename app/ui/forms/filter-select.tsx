import { useFilterField } from '../hooks/use-filter-field.ts';
import { SelectField, type SelectOption, type SelectOptionGroup } from './select-field.tsx';

interface FilterSelectProps {
  name: string;
  label: string;
  value: string;
  options: (SelectOption | SelectOptionGroup)[];
}

export function FilterSelect({ name, label, value, options }: FilterSelectProps) {
  const field = useFilterField(name, value);
  return <SelectField field={field} label={label} options={options} />;
}
