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

interface Range {
  range: string;
  waiting: Waiting[];
}

/** Who waits, by range of addresses: a new range goes first and a range that had its turn last. */
export class HashingTurns {
  #ranges: Range[] = [];
  #isTurnOfNewest = false;

  get size(): number {
    return this.#ranges.reduce((size, { waiting }) => size + waiting.length, 0);
  }

  add(waiter: Waiting): void {
    const range = rangeOf(waiter.sender);
    const found = this.#ranges.find((one) => one.range === range);
    if (found) found.waiting.push(waiter);
    else this.#ranges.unshift({ range, waiting: [waiter] });
  }

  /**
   * The newest or the second newest in turns: a flood sends its next only after an answer, so nobody else is overtaken
   * twice. A sender's second comes after all first of its range.
   */
  takeNext(): Waiter | undefined {
    this.#isTurnOfNewest = !this.#isTurnOfNewest;
    const next = (this.#isTurnOfNewest ? undefined : this.#ranges[1]) ?? this.#ranges[0];
    if (!next) return undefined;
    this.#ranges = [...this.#ranges.filter((range) => range !== next), next];
    const newest = next.waiting.findLastIndex(({ isFirst }) => isFirst);
    const second = next.waiting.findLastIndex(({ isFirst }, index) => isFirst && index < newest);
    return this.#take(next, this.#isTurnOfNewest || second < 0 || this.#ranges.length > 1 ? newest : second);
  }

  remove(waiter: Waiter): void {
    for (const { waiting } of this.#ranges) {
      const index = waiting.findIndex((one) => one === waiter);
      if (index >= 0) waiting.splice(index, 1);
    }
    this.#ranges = this.#ranges.filter(({ waiting }) => waiting.length > 0);
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
