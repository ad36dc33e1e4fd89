/** What two usernames are compared by: trimmed and case-folded, so that 'ANNA' is 'anna ' (C16). */
export function usernameKey(username: string): string {
  return username.normalize('NFKC').trim().toLowerCase();
}
