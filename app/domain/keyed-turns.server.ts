import { DATABASE_RETRY_S } from '#db/deadlines.ts';
import { DatabaseTimeoutError, waitForDatabase } from '#db/waiting-budget.ts';
import { AppError } from './app-error.ts';
import { texts } from './texts.ts';

interface Waiter {
  begin: () => void;
  refuse: (refusal: Error) => void;
}

/** Who changes the same thing waits here, where waiting takes no connection, rather than for its row's lock. */
export class KeyedTurns {
  /** By key, present while somebody has the turn. */
  readonly #waiting = new Map<string, Waiter[]>();

  /** Runs the works of a key one after the other. Throws 'unavailable' when the request may wait no longer. */
  async take<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    await this.#begin(key);
    try {
      return await work();
    } finally {
      this.#handOn(key);
    }
  }

  /** Who waits for the key now, for `refuse`. */
  waitingFor(key: string): readonly Waiter[] {
    return [...(this.#waiting.get(key) ?? [])];
  }

  /** Ends the wait of those who still wait. */
  refuse(key: string, waiters: readonly Waiter[], refusal: Error): void {
    const queue = this.#waiting.get(key) ?? [];
    for (const waiter of waiters) {
      if (!queue.includes(waiter)) continue;
      queue.splice(queue.indexOf(waiter), 1);
      waiter.refuse(refusal);
    }
  }

  async #begin(key: string): Promise<void> {
    const queue = this.#waiting.get(key);
    if (!queue) return void this.#waiting.set(key, []);
    const { waiter, begun } = newWaiter();
    queue.push(waiter);
    await waitForDatabase(0, () => begun).catch((error: unknown) => {
      if (!(error instanceof DatabaseTimeoutError)) throw error;
      // The turn may have come just now.
      if (queue.includes(waiter)) queue.splice(queue.indexOf(waiter), 1);
      else this.#handOn(key);
      throw new AppError('unavailable', texts.databaseLocked).retryAfter(DATABASE_RETRY_S);
    });
  }

  #handOn(key: string): void {
    const next = this.#waiting.get(key)?.shift();
    if (next) next.begin();
    else this.#waiting.delete(key);
  }
}

function newWaiter(): { waiter: Waiter; begun: Promise<void> } {
  let waiter: Waiter = { begin: () => {}, refuse: () => {} };
  const begun = new Promise<void>((begin, refuse) => (waiter = { begin, refuse }));
  return { waiter, begun };
}
