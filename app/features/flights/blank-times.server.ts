const TIME_FIELDS = ['departedAt', 'landedAt'] as const;

/** The times that a form has been sent without: then the button was pressed at the time. */
export function blankTimesAsNull(form: FormData): Partial<Record<(typeof TIME_FIELDS)[number], null>> {
  return Object.fromEntries(TIME_FIELDS.filter((name) => form.get(name) === '').map((name) => [name, null]));
}
