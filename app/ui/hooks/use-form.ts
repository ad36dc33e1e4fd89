import type { SubmissionResult } from '@conform-to/react';
import type { FormField } from '../forms/form-field.ts';

interface FormOptions {
  /** Of the form element; a field's id is `{id}-{name}`. */
  id: string;
  /** What the action answered, as conform's `submission.reply()` made it. */
  lastResult?: SubmissionResult | null | undefined;
  defaultValue?: object | undefined;
}

export interface FormState {
  id: string;
  /** By field; '' holds the form's own. */
  allErrors: Record<string, string[]>;
  /** The form's own. */
  errors: string[] | undefined;
}

/**
 * What a form shows of the server's last answer: the typed values, and what is wrong with each. The rules are the
 * server's alone, so the browser needs conform's answer and not its nine kilobytes of script.
 */
export function useForm<Values extends object>({ id, lastResult, defaultValue }: FormOptions) {
  const allErrors = errorsOf(lastResult);
  const values: Record<string, unknown> = { ...(lastResult?.initialValue ?? defaultValue) };
  const fieldOf = (name: string): FormField => ({
    id: `${id}-${name}`,
    name,
    errorId: `${id}-${name}-error`,
    descriptionId: `${id}-${name}-description`,
    errors: allErrors[name],
    initialValue: values[name],
  });
  const form: FormState = { id, allErrors, errors: allErrors[''] };
  const fields = new Proxy({} as Record<keyof Values & string, FormField>, {
    get: (_fields, name) => fieldOf(String(name)),
  });
  return [form, fields] as const;
}

function errorsOf(result: SubmissionResult | null | undefined): Record<string, string[]> {
  const given = Object.entries(result?.error ?? {});
  return Object.fromEntries(given.filter((entry): entry is [string, string[]] => (entry[1]?.length ?? 0) > 0));
}
