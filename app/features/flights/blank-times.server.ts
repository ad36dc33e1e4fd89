const TIME_FIELDS = ['departedAt', 'landedAt'] as const;

/** Returns null for each time that the form was sent without, which then is the moment of the button. */
export function blankTimesAsNull(form: FormData): Partial<Record<(typeof TIME_FIELDS)[number], null>> {
  return Object.fromEntries(TIME_FIELDS.filter((name) => form.get(name) === '').map((name) => [name, null]));
}
