import { useEffect, useId } from 'react';
import { useSearchParams } from '@remix-run/react';
import { type FormField, plainField } from '../forms/form-field.ts';

/** A field of a filter, which is no form of conform's and has no errors. */
export function useFilterField(name: string, value: string): FormField {
  const id = useId();
  const [searchParams] = useSearchParams();

  // The effect keeps the field in step with the URL, which the back button changes without the form.
  useEffect(() => {
    const field = document.getElementById(id);
    if (field instanceof HTMLSelectElement || field instanceof HTMLInputElement) field.value = value;
  }, [id, value, searchParams]);

  return plainField(name, value, id);
}
