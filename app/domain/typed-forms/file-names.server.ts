/** Returns the names of the chosen files as the value of their field; a page or a draft keeps no more of a file. */
export function fileValuesOf(fields: Iterable<[string, unknown]>): Record<string, string> {
  const names: Record<string, string[]> = {};
  for (const [field, value] of fields) {
    if (value instanceof File && value.size > 0) (names[field] ??= []).push(value.name);
  }
  return Object.fromEntries(Object.entries(names).map(([field, all]) => [field, all.join(', ')]));
}
