import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { env } from '#app/env.server.ts';
import {
  GUESSES_OF_A_COMMON_PASSWORD,
  JUDGED_PASSWORD_CHARACTERS,
  MIN_FORBIDDEN_NAME_CHARACTERS,
  MIN_PASSWORD_LETTERS_BESIDE_NAMES,
} from '#app/limits.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
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

let estimator: Promise<ZxcvbnFactory> | undefined;

/** Tells whether a guesser soon finds it: by a list of leaked passwords, repeats, sequences, keys in a row or dates. */
async function isCommonPassword(password: string): Promise<boolean> {
  estimator ??= loadEstimator();
  const judged = normalizePassword(password).slice(0, JUDGED_PASSWORD_CHARACTERS);
  return (await estimator).check(judged).guesses <= GUESSES_OF_A_COMMON_PASSWORD;
}

/** Loads 49,000 passwords at the first question, since the start would take a quarter of a second longer. */
async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({ dictionary: { passwords: dictionary['passwords-common'] }, graphs: adjacencyGraphs });
}
