/** Counts what is under way for each key; keeps no key without any. */
export class KeyedCounter<Key> {
  readonly #counts = new Map<Key, number>();

  of(key: Key): number {
    return this.#counts.get(key) ?? 0;
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  increment(key: Key): void {
    this.#counts.set(key, this.of(key) + 1);
  }

  decrement(key: Key): void {
    const left = this.of(key) - 1;
    if (left > 0) this.#counts.set(key, left);
    else this.#counts.delete(key);
  }
}
