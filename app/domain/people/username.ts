/** Trimmed and case-folded, so that 'ANNA' equals 'anna '. */
export function usernameKey(username: string): string {
  return username.normalize('NFKC').trim().toLowerCase();
}
