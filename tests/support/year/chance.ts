import { randomFrom } from '../../../scripts/chaos/random.ts';

export interface Chance {
  /** From 0 to 1. */
  next(): number;
  /** A whole number, both ends included. */
  between(low: number, high: number): number;
  pick<Item>(items: readonly Item[]): Item;
  is(probability: number): boolean;
}

/** The same numbers for the same seed. */
export function chanceOf(seed: number): Chance {
  const next = randomFrom(seed);
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    pick: (items) => items[between(0, items.length - 1)]!,
    is: (probability) => next() < probability,
  };
}
