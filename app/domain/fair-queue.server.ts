import PQueue from 'p-queue';
import { KeyedCounter } from './keyed-counter.ts';

/** Runs a sender's first work before another sender's second. */
export class FairQueue {
  readonly #queue: PQueue;
  readonly #pendingBySender = new KeyedCounter<string>();

  constructor(concurrency: number) {
    this.#queue = new PQueue({ concurrency });
  }

  get waiting(): number {
    return this.#queue.size;
  }

  get running(): number {
    return this.#queue.pending;
  }

  /** Running and waiting. */
  pendingOf(sender: string): number {
    return this.#pendingBySender.of(sender);
  }

  /** Rejects with the signal's reason if that aborts before the work's turn. */
  async add<Result>(sender: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const pending = this.pendingOf(sender);
    this.#pendingBySender.increment(sender);
    try {
      return await this.#queue.add(work, { priority: -pending, signal });
    } finally {
      this.#pendingBySender.decrement(sender);
    }
  }

  /** As `add`. Throws the error if the work's turn has not come by then. */
  async addWithin<Result>(
    waitMs: number,
    sender: string,
    work: () => Promise<Result>,
    tooLate: () => Error,
  ): Promise<Result> {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(tooLate()), waitMs);
    const begin = () => {
      clearTimeout(timer);
      return work();
    };
    try {
      return await this.add(sender, begin, patience.signal);
    } finally {
      clearTimeout(timer);
    }
  }
}
