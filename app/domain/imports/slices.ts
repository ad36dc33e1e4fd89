import { setImmediate } from 'node:timers/promises';
import { IMPORT_SLICE_ROWS, IMPORT_SORT_SLICE_ROWS } from '#app/limits.ts';

/** Visits each item in turn, in slices between which others have theirs. */
export async function forEachInSlices<Item>(
  items: readonly Item[],
  visit: (item: Item, at: number) => void,
): Promise<void> {
  for (const [at, item] of items.entries()) {
    if (at % IMPORT_SLICE_ROWS === 0) await setImmediate();
    visit(item, at);
  }
}

type Compare<Item> = (one: Item, other: Item) => number;

/** A sorted copy, made in slices between which others have their turn. */
export async function sortInSlices<Item extends object>(
  items: readonly Item[],
  compare: Compare<Item>,
): Promise<Item[]> {
  let runs: Item[][] = [];
  for (let at = 0; at < items.length; at += IMPORT_SORT_SLICE_ROWS) {
    runs.push(items.slice(at, at + IMPORT_SORT_SLICE_ROWS).sort(compare));
    await setImmediate();
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

/** The one of the first run comes first if two are equal. */
async function merge<Item extends object>(one: Item[], other: Item[], compare: Compare<Item>): Promise<Item[]> {
  const merged: Item[] = [];
  let [at, next] = [0, 0];
  while (at < one.length || next < other.length) {
    if (merged.length % IMPORT_SORT_SLICE_ROWS === 0) await setImmediate();
    const [first, second] = [one[at], other[next]];
    if (second === undefined || (first !== undefined && compare(first, second) <= 0)) {
      if (first !== undefined) merged.push(first);
      at += 1;
    } else {
      merged.push(second);
      next += 1;
    }
  }
  return merged;
}
