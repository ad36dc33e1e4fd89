import { MAX_SIGN_IN_USERNAME_CHARACTERS } from '#app/limits.ts';

/** Trims and case-folds, so that 'ANNA' equals 'anna '. Normalizing costs the square of a text's length. */
export function usernameKey(username: string): string {
  if (username.length > MAX_SIGN_IN_USERNAME_CHARACTERS) return username;
  return username.normalize('NFKC').trim().toLowerCase();
}
