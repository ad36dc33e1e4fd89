/** Names of what a form holds by itself: nobody has typed it. */
export const UNTYPED_FIELD_PATTERN = /^(intent|requestId|typedForm|typedAt|\w*Id)$/;

/** Characters that the column of a list of values has room for. */
const SHORT = 12;

/** Returns what somebody has typed, without what a page has added to it. */
export function describeTypedValues(fields: [string, unknown][]) {
  return fields.flatMap(([name, value]) =>
    typeof value !== 'string' || value.trim() === '' || OF_THE_PAGE.test(name)
      ? []
      : [{ term: labelOf(name), detail: value === 'on' ? 'Yes' : value, isLong: value.length > SHORT }],
  );
}

const OF_THE_PAGE = /Id$|Scan$|^(intent|seen|token|session|passkey|accessToken|typedForm|typedSince|typedAt)$/;

/** Turns 'endHobbsTime' into 'End Hobbs Time'. */
export function labelOf(name: string): string {
  if (name === 'passwordAgain') return labelOf('currentPassword');
  const words = name.replaceAll(/[A-Z]/g, ' $&').replaceAll(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
