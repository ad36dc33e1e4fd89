import { randomFrom } from '../../scripts/chaos/random.ts';
import { isDrawn, seed } from './cut-sample.ts';

export { seed };

/**
 * Some of the items, spread over the list: the same in every run. With SEED others, by that seed; with EVERY=yes all.
 * The name keeps lists of the same length from always being met at the same places.
 */
export function drawn<Item>(items: readonly Item[], count: number, name: string): Item[] {
  if (process.env.EVERY === 'yes' || count >= items.length) return [...items];
  const start = [...name].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), seed);
  if (isDrawn) return shuffled(items, start).slice(0, count);
  const first = (start >>> 0) % items.length;
  return items.filter((_, index) => isSpread((index - first + items.length) % items.length, items.length, count));
}

/** True for `count` of the places, at equal distances from 0 on. */
function isSpread(place: number, length: number, count: number): boolean {
  return Math.floor((place * count) / length) > Math.floor(((place - 1) * count) / length);
}

function shuffled<Item>(items: readonly Item[], start: number): Item[] {
  const random = randomFrom(start);
  return items
    .map((item) => ({ item, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
