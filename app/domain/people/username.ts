import { MAX_SIGN_IN_USERNAME_CHARACTERS } from '#app/limits.ts';

/**
 * Trims and case-folds, so that 'ANNA' equals 'anna '. Normalizing a text that is too long for a name costs its square.
 */
export function usernameKey(username: string): string {
  if (username.length > MAX_SIGN_IN_USERNAME_CHARACTERS) return username;
  return username.normalize('NFKC').trim().toLowerCase();
}
