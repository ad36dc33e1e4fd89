import { env } from '#app/env.server.ts';
import { MIN_FORBIDDEN_NAME_CHARACTERS, MIN_PASSWORD_LETTERS_BESIDE_NAMES } from '#app/limits.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import { isCommonPassword } from './common-passwords.server.ts';
import { normalizePassword } from './passwords.server.ts';

interface Owner {
  username: string;
  email: string;
  school?: string;
}

/** Throws 'invalid' for a common password, or one made of the names of the product, its owner or their school. */
export async function assertHardToGuess(password: string, { username, email, school = '' }: Owner): Promise<void> {
  if (await isCommonPassword(password)) throw new AppError('invalid', texts.passwordCommon).onField('password');
  const names = [env.PRODUCT_NAME, username, email.replace(/@[^@]*$/, ''), school];
  if (isMadeOf(password, names) || [username, email].some((whole) => isHardlyMore(password, whole)))
    throw new AppError('invalid', texts.passwordNamed).onField('password');
}

/** Returns true if few letters are left without these names: 'Flightline-2026!' is made of 'Flightline'. */
function isMadeOf(password: string, names: readonly string[]): boolean {
  const typed = lettersOf(password);
  const words = names.flatMap((name) => [name, ...name.split(/[^\p{L}]+/u)].map(lettersOf));
  const longestFirst = words
    .filter((word) => word.length >= MIN_FORBIDDEN_NAME_CHARACTERS)
    .toSorted((one, other) => other.length - one.length);
  const rest = longestFirst.reduce((left, word) => left.replaceAll(word, ''), typed);
  return rest !== typed && rest.length < MIN_PASSWORD_LETTERS_BESIDE_NAMES;
}

/** Compares with names of few letters, such as 'u6-a-1', whose digits count. */
function isHardlyMore(password: string, name: string): boolean {
  const [typed, whole] = [signlessOf(password), signlessOf(name)];
  if (whole.length < MIN_FORBIDDEN_NAME_CHARACTERS || !typed.includes(whole)) return false;
  return typed.replaceAll(whole, '').length < MIN_PASSWORD_LETTERS_BESIDE_NAMES;
}

function signlessOf(text: string): string {
  return normalizePassword(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function lettersOf(text: string): string {
  return normalizePassword(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}]/gu, '');
}
