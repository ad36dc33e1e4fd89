import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { GUESSES_OF_A_COMMON_PASSWORD, JUDGED_PASSWORD_CHARACTERS } from '#app/limits.ts';
import { normalizePassword } from './passwords.server.ts';

let estimator: Promise<ZxcvbnFactory> | undefined;

/** Tells whether a guesser soon finds it: by a list of leaked passwords, repeats, sequences, keys in a row or dates. */
export async function isCommonPassword(password: string): Promise<boolean> {
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
