import { randomFrom } from '../../scripts/chaos/random.ts';
import { seed } from './cut-sample.ts';

export { seed };

/** Some of the items, others for each commit and each name. SEED repeats a draw; EVERY=yes takes all. */
export function drawn<Item>(items: readonly Item[], count: number, name: string): Item[] {
  const taken = process.env.EVERY === 'yes' ? items.length : count;
  return shuffled(items, name).slice(0, taken);
}

function shuffled<Item>(items: readonly Item[], name: string): Item[] {
  const random = randomFrom([...name].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), seed));
  return items
    .map((item) => ({ item, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
