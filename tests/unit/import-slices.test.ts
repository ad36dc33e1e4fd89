import { expect, it } from 'vitest';
import { sortInSlices } from '#app/domain/imports/slices.ts';
import { IMPORT_SORT_SLICE_ROWS } from '#app/limits.ts';

it('rows are sorted in turns as at one go, those that are equal in the order of the file (B936)', async () => {
  for (const length of [0, 1, IMPORT_SORT_SLICE_ROWS, 3 * IMPORT_SORT_SLICE_ROWS + 7]) {
    const rows = Array.from({ length }, (_, at) => ({ key: Math.floor(50 * Math.sin(at * 7.77)), at }));
    const sorted = await sortInSlices(rows, (a, b) => a.key - b.key);
    expect(sorted, `${length}`).toEqual(rows.toSorted((a, b) => a.key - b.key));
  }
});

it('others have their turn while rows are sorted (B936)', async () => {
  const rows = Array.from({ length: 4 * IMPORT_SORT_SLICE_ROWS }, (_, at) => ({ key: -at }));
  let [turns, isDone] = [0, false];
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await sortInSlices(rows, (a, b) => a.key - b.key);
  isDone = true;
  expect(turns).toBeGreaterThanOrEqual(8);
});
