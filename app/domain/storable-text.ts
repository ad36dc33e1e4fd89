/** Returns true for a text that Postgres can store: without NUL and without half of a pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Puts the sign of a lost character in the place of each that Postgres cannot store. */
export function toStorable(text: string): string {
  return isStorable(text) ? text : text.replaceAll('\0', '\uFFFD').toWellFormed();
}
