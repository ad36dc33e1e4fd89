import { NOT_KEPT } from './field-names.ts';

/** Returns the names of the chosen files as the value of their field; a page or a draft keeps no more of a file. */
export function fileValuesOf(fields: Iterable<[string, unknown]>): Record<string, string> {
  const chosen: Record<string, string[]> = {};
  const notKept: Record<string, string> = {};
  for (const [field, value] of fields) {
    if (value instanceof File && value.size > 0) (chosen[field] ??= []).push(value.name);
    if (typeof value === 'string' && NOT_KEPT.test(field)) notKept[field.replace(NOT_KEPT, '')] = value;
  }
  const names = Object.entries(chosen).map(([field, all]) => [field, all.join(', ')]);
  return { ...notKept, ...Object.fromEntries(names) };
}
