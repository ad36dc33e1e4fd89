/** The zone a new school begins with: the machine's, from TZ (C41). */
export function serverTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
