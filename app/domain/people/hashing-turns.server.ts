// Past those, who has waited longest: a flood from everywhere would overtake them for ever.
const TURNS_OF_NEWEST = 3;

export interface Waiter {
  /** An address, or the network of one. */
  sender: string;
  begin: () => void;
  refuse: (refusal: Error) => void;
}

interface Waiting extends Waiter {
  /** Of its sender, of whom nothing waited or ran then. */
  isFirst: boolean;
}

interface Numbered extends Waiting {
  since: number;
}

interface Range {
  range: string;
  waiting: Numbered[];
}

/** Who waits, by range of addresses: a new range goes first and a range that had its turn last. */
export class HashingTurns {
  #ranges: Range[] = [];
  #turnsOfNewest = 0;
  #added = 0;

  get size(): number {
    return this.#ranges.reduce((size, { waiting }) => size + waiting.length, 0);
  }

  add(waiter: Waiting): void {
    this.#added += 1;
    const numbered = { ...waiter, since: this.#added };
    const range = rangeOf(waiter.sender);
    const found = this.#ranges.find((one) => one.range === range);
    if (found) found.waiting.push(numbered);
    else this.#ranges.unshift({ range, waiting: [numbered] });
  }

  takeNext(): Waiter | undefined {
    this.#turnsOfNewest += 1;
    if (this.#turnsOfNewest <= TURNS_OF_NEWEST) return this.#takeNewest();
    this.#turnsOfNewest = 0;
    return this.#takeOldest();
  }

  /** Who would come last of the longest range. */
  takeLast(): Waiter | undefined {
    const most = Math.max(...this.#ranges.map(({ waiting }) => waiting.length));
    const longest = this.#ranges.findLast(({ waiting }) => waiting.length === most);
    return (
      longest &&
      this.#take(
        longest,
        longest.waiting.findLastIndex(({ isFirst }) => !isFirst),
      )
    );
  }

  /** Of the range whose turn it is; a flood sends its next only after an answer. A sender's second comes after all first. */
  #takeNewest(): Waiter | undefined {
    const next = this.#ranges.shift();
    if (!next) return undefined;
    this.#ranges.push(next);
    return this.#take(
      next,
      next.waiting.findLastIndex(({ isFirst }) => isFirst),
    );
  }

  #takeOldest(): Waiter | undefined {
    const since = Math.min(...this.#ranges.map(({ waiting }) => waiting[0]?.since ?? Infinity));
    const range = this.#ranges.find(({ waiting }) => waiting[0]?.since === since);
    return range && this.#take(range, 0);
  }

  /** The first one where there is no such. */
  #take(range: Range, index: number): Waiter | undefined {
    const [waiter] = range.waiting.splice(Math.max(0, index), 1);
    this.#ranges = this.#ranges.filter(({ waiting }) => waiting.length > 0);
    return waiter;
  }
}

/** The first two groups of an address: mostly of one provider. */
function rangeOf(sender: string): string {
  return sender.split(/[.:]/).slice(0, 2).join(' ');
}
