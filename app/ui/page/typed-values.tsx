/** Returns what somebody has typed, without what a page has added to it. */
export function typedValues(fields: [string, string][]) {
  return fields
    .filter(([name, value]) => value.trim() !== '' && !OF_THE_PAGE.test(name))
    .map(([name, value]) => ({ term: labelOf(name), detail: value === 'on' ? 'Yes' : longOf(value) }));
}

/** Gives a value that is longer than a column a row of its own. */
function longOf(value: string) {
  return value.length > 12 ? <span className="user-text">{value}</span> : value;
}

const OF_THE_PAGE = /Id$|Scan$|^(intent|seen|token|session|passkey|accessToken|typedForm|typedSince|typedAt)$/;

/** Turns 'endHobbsTime' into 'End Hobbs Time'. */
export function labelOf(name: string): string {
  if (name === 'passwordAgain') return labelOf('currentPassword');
  const words = name.replaceAll(/[A-Z]/g, ' $&').replaceAll(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
