import { useId } from 'react';
import { SelectField, type SelectOption, type SelectOptionGroup } from './select-field.tsx';

interface FilterSelectProps {
  name: string;
  label: string;
  value: string;
  options: (SelectOption | SelectOptionGroup)[];
}

export function FilterSelect({ name, label, value, options }: FilterSelectProps) {
  const id = useId();
  const field = {
    id,
    name,
    errorId: `${id}-error`,
    descriptionId: `${id}-hint`,
    errors: undefined,
    initialValue: value,
  };
  return <SelectField field={field} label={label} options={options} />;
}
