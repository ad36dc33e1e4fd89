/** Returns the names of the chosen files by field. A page or a draft keeps no more of a file. */
export function fileNamesOf(fields: Iterable<[string, unknown]>): Record<string, string[]> {
  const names: Record<string, string[]> = {};
  for (const [field, value] of fields) {
    if (value instanceof File && value.size > 0) (names[field] ??= []).push(value.name);
  }
  return names;
}

/** Returns the names as the value of their field, with which its page asks for the files again. */
export function fileValuesOf(fields: Iterable<[string, unknown]>): Record<string, string> {
  return Object.fromEntries(Object.entries(fileNamesOf(fields)).map(([field, names]) => [field, names.join(', ')]));
}
