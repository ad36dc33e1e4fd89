import path from 'node:path';
import { expect, it } from 'vitest';
import { findStaleEntries, readMutations } from '../../scripts/mutants/mutations.ts';

it('every mutation of scripts/mutants finds its text once in its file, and the tests it names', async () => {
  const stale = await findStaleEntries(path.resolve('.'), await readMutations());
  expect(stale.map(({ mutation, problem }) => `${mutation.file}: ${problem}: ${mutation.why}`)).toEqual([]);
});
