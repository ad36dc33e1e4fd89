import { MS_PER_DAY } from '#app/limits.ts';

export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Things that are alike but for their time, by their day: there may be tens of thousands of them. */
export class DayIndex<Item> {
  readonly #items = new Map<string, Item[]>();

  add(key: string, at: number, item: Item): void {
    const name = `${Math.floor(at / MS_PER_DAY)} ${key}`;
    const alike = this.#items.get(name);
    if (alike) alike.push(item);
    else this.#items.set(name, [item]);
  }

  /** The one on that day, or the next to it, for which the condition holds. */
  find(key: string, at: number, isMeant: (item: Item) => boolean): Item | undefined {
    const day = Math.floor(at / MS_PER_DAY);
    for (const near of [day, day - 1, day + 1]) {
      const found = this.#items.get(`${near} ${key}`)?.find(isMeant);
      if (found) return found;
    }
    return undefined;
  }
}
