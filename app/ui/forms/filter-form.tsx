import { type ReactNode, useEffect, useId } from 'react';
import { Form, useSubmit, useSearchParams } from '@remix-run/react';
import { Button } from '../elements.tsx';
import {
  TextField,
  SelectField,
  type SelectOption,
  type SelectOptionGroup,
  type FormField,
  plainField,
} from './fields.tsx';

/** Filters a list through the query string; JavaScript submits each choice at once, but no date half typed. */
export function FilterForm({ children, submitLabel = 'Filter' }: { children: ReactNode; submitLabel?: string }) {
  const submit = useSubmit();
  return (
    <Form
      method="get"
      className="filter-form"
      preventScrollReset
      onChange={({ target, currentTarget }) => {
        if (target instanceof HTMLSelectElement) submit(currentTarget, { preventScrollReset: true });
      }}
    >
      {children}
      <Button>{submitLabel}</Button>
    </Form>
  );
}

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

interface FilterDateProps {
  name: string;
  label: string;
  value: string;
}

export function FilterDate({ name, label, value }: FilterDateProps) {
  const field = useFilterField(name, value);
  return <TextField field={field} label={label} type="date" />;
}

/** A field of a filter, which is no form of conform's and has no errors. */
function useFilterField(name: string, value: string): FormField {
  const id = useId();
  const [searchParams] = useSearchParams();

  // The effect keeps the field in step with the URL, which the back button changes without the form.
  useEffect(() => {
    const field = document.getElementById(id);
    if (field instanceof HTMLSelectElement || field instanceof HTMLInputElement) field.value = value;
  }, [id, value, searchParams]);

  return plainField(name, value, id);
}
