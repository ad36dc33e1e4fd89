import { availableParallelism } from 'node:os';
import { HASHING_RETRY_S, MAX_WAITING_HASHINGS } from '#app/limits.ts';
import { HASHING_WAIT_MS } from '#db/deadlines.ts';
import { AppError } from '../../app-error.ts';
import { KeyedCounter } from '../../keyed-counter.ts';
import { texts } from '../../texts.ts';
import { HashingTurns } from './hashing-turns.server.ts';

export interface HashingSender {
  name: string;
  /** A device where the user has signed in before, which need not wait for others. */
  isKnown?: boolean;
}

/** Runs so many works at once; the others wait for their turn. */
class HashingQueue {
  readonly #turns = new HashingTurns();
  readonly #pending = new KeyedCounter<string>();
  readonly #concurrency: number;
  #running = 0;

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  async add<Result>(sender: string, work: () => Promise<Result>): Promise<Result> {
    const isFirst = this.#pending.of(sender) === 0;
    this.#pending.increment(sender);
    try {
      await this.#begin(sender, isFirst);
      try {
        return await work();
      } finally {
        this.#next();
      }
    } finally {
      this.#pending.decrement(sender);
    }
  }

  async #begin(sender: string, isFirst: boolean): Promise<void> {
    if (this.#running < this.#concurrency) return void (this.#running += 1);
    await new Promise<void>((begin, refuse) => {
      const waiter = { sender, isFirst, begin, refuse };
      this.#turns.add(waiter);
      if (this.#turns.size > MAX_WAITING_HASHINGS) this.#turns.takeLast()?.refuse(tooMany());
      // Who comes again is new.
      setTimeout(() => {
        this.#turns.remove(waiter);
        refuse(tooMany());
      }, HASHING_WAIT_MS).unref();
    });
  }

  #next(): void {
    const next = this.#turns.takeNext();
    if (next) next.begin();
    else this.#running -= 1;
  }
}

// One core stays free of others' hashes, for known devices and for all other requests.
const queues = { known: new HashingQueue(1), others: new HashingQueue(Math.max(1, availableParallelism() - 1)) };

/** Throws 'unavailable' past the limit. */
export function queueHashing<Result>(
  { name, isKnown = false }: HashingSender,
  work: () => Promise<Result>,
): Promise<Result> {
  return (isKnown ? queues.known : queues.others).add(name, work);
}

function tooMany(): AppError {
  return new AppError('unavailable', texts.tooManySignIns).retryAfter(HASHING_RETRY_S);
}
