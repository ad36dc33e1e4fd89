import { env } from '#app/env.server.ts';
import { MIN_NAME_IN_PASSWORD_CHARACTERS, MIN_PASSWORD_LETTERS_BESIDE_NAMES } from '#app/limits.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import { isCommonPassword } from './common-passwords.server.ts';
import { normalizePassword } from './passwords.server.ts';

/** Throws 'invalid' for a common password, or one made of the product's name or `names` of user and school. */
export async function assertHardToGuess(password: string, names: readonly string[]): Promise<void> {
  if (await isCommonPassword(password)) throw new AppError('invalid', texts.passwordCommon).onField('password');
  if (isMadeOf(password, [env.PRODUCT_NAME, ...names]))
    throw new AppError('invalid', texts.passwordNamed).onField('password');
}

/** Whether hardly a letter is left without the names and their words: 'Flightline-2026!' is made of 'Flightline'. */
function isMadeOf(password: string, names: readonly string[]): boolean {
  const typed = lettersOf(password);
  const words = names.flatMap((name) => [name, ...name.split(/[^\p{L}]+/u)].map(lettersOf));
  const longestFirst = words
    .filter((word) => word.length >= MIN_NAME_IN_PASSWORD_CHARACTERS)
    .toSorted((one, other) => other.length - one.length);
  const rest = longestFirst.reduce((left, word) => left.replaceAll(word, ''), typed);
  return rest !== typed && rest.length < MIN_PASSWORD_LETTERS_BESIDE_NAMES;
}

function lettersOf(text: string): string {
  return normalizePassword(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}]/gu, '');
}
