import type { ReactNode } from 'react';

export interface FormField {
  id: string;
  name: string;
  errorId: string;
  descriptionId: string;
  errors: string[] | undefined;
  initialValue: unknown;
}

export function plainField(name: string, initialValue: unknown, id = name): FormField {
  return { id, name, errorId: `${id}-error`, descriptionId: `${id}-description`, errors: undefined, initialValue };
}

export function initialText(field: FormField): string | undefined {
  return typeof field.initialValue === 'string' ? field.initialValue : undefined;
}

/** Removes the errors from a field whose refused value was replaced. */
export function withoutErrors(field: FormField): FormField {
  return { ...field, errors: undefined };
}

export function initialTexts<Name extends string>(
  fields: Record<Name, FormField>,
  names: readonly Name[],
): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, initialText(fields[name]) ?? '']));
}

interface ControlOptions {
  hint?: ReactNode;
  required?: boolean | undefined;
  noteIds?: string[] | undefined;
}

/** Makes the control's attributes without `required`, so that the server's messages show in place of the browser's. */
export function controlProps(field: FormField, { hint, required, noteIds = [] }: ControlOptions) {
  const ownIds = [hint ? field.descriptionId : '', field.errors ? field.errorId : ''];
  return {
    id: field.id,
    name: field.name,
    'aria-required': required || undefined,
    'aria-invalid': field.errors ? true : undefined,
    'aria-describedby': [...ownIds, ...noteIds].filter(Boolean).join(' ') || undefined,
  };
}
