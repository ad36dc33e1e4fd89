import PQueue from 'p-queue';

/** Runs a sender's first work before another sender's second. */
export class FairQueue {
  readonly #queue: PQueue;
  readonly #pendingBySender = new Map<string, number>();

  constructor(concurrency: number) {
    this.#queue = new PQueue({ concurrency });
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /** Running and waiting. */
  pendingOf(sender: string): number {
    return this.#pendingBySender.get(sender) ?? 0;
  }

  async add<Result>(sender: string, work: () => Promise<Result>): Promise<Result> {
    const pending = this.pendingOf(sender);
    this.#pendingBySender.set(sender, pending + 1);
    try {
      return await this.#queue.add(work, { priority: -pending });
    } finally {
      const left = this.pendingOf(sender) - 1;
      if (left === 0) this.#pendingBySender.delete(sender);
      else this.#pendingBySender.set(sender, left);
    }
  }
}
