import type { ReactNode } from 'react';

/** One field of a form, as `useForm` gives it. */
export interface FormField {
  id: string;
  name: string;
  errorId: string;
  descriptionId: string;
  errors: string[] | undefined;
  initialValue: unknown;
  required?: boolean;
}

/** A field's first value as text; a file or a list has none. */
export function initialText(field: FormField): string | undefined {
  return typeof field.initialValue === 'string' ? field.initialValue : undefined;
}

interface ControlOptions {
  hint?: ReactNode;
  required?: boolean | undefined;
  /** Ids of remarks that stand elsewhere. */
  noteIds?: string[] | undefined;
}

/**
 * What ties a control to its label, hint, error and remarks.
 * Never the `required` attribute: the browser's own bubble would stand in for the texts of spec §5.
 */
export function controlProps(field: FormField, { hint, required, noteIds: remarks = [] }: ControlOptions) {
  const own = [hint ? field.descriptionId : '', field.errors ? field.errorId : ''];
  const described = [...own, ...remarks].filter(Boolean).join(' ');
  return {
    id: field.id,
    name: field.name,
    'aria-required': (required ?? field.required) || undefined,
    'aria-invalid': field.errors ? true : undefined,
    'aria-describedby': described || undefined,
  };
}
