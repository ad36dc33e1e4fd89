/** What waits in lanes within lanes, as schools and their routes, that take turns on each level. */
export class FairTurns<Item> {
  readonly #items: Item[] = [];
  readonly #lanes = new Map<string, FairTurns<Item>>();

  get isEmpty(): boolean {
    return this.#items.length === 0 && this.#lanes.size === 0;
  }

  add([lane, ...within]: string[], item: Item): void {
    if (lane === undefined) return void this.#items.push(item);
    const turns = this.#lanes.get(lane) ?? new FairTurns<Item>();
    this.#lanes.set(lane, turns);
    turns.add(within, item);
  }

  /** The next lane's first, after which that lane is the last. */
  take(): Item | undefined {
    const [next] = this.#lanes;
    if (!next) return this.#items.shift();
    const [lane, turns] = next;
    const item = turns.take();
    this.#lanes.delete(lane);
    if (!turns.isEmpty) this.#lanes.set(lane, turns);
    return item;
  }
}
