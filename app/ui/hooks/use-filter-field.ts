import { useId } from 'react';
import type { FormField } from '../forms/form-field.ts';

/** A field of a filter, which is no form of conform's and has no errors. */
export function useFilterField(name: string, value: string): FormField {
  const id = useId();
  return {
    id,
    name,
    errorId: `${id}-error`,
    descriptionId: `${id}-hint`,
    errors: undefined,
    initialValue: value,
  };
}
