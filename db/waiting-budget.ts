import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

export class DatabaseTimeoutError extends Error {}

/** The time that one request has left to wait for the database, however many statements it sends, also at once. */
class WaitingBudget {
  #usedMs = 0;
  #waits = 0;
  #since = 0;

  constructor(private readonly limitMs: number) {}

  get remainingMs(): number {
    const current = this.#waits > 0 ? performance.now() - this.#since : 0;
    return Math.max(0, this.limitMs - this.#usedMs - current);
  }

  begin(): void {
    if (this.#waits === 0) this.#since = performance.now();
    this.#waits += 1;
  }

  end(): void {
    this.#waits -= 1;
    if (this.#waits === 0) this.#usedMs += performance.now() - this.#since;
  }
}

const budgets = new AsyncLocalStorage<WaitingBudget | undefined>();

/** Bounds what `work` waits for the database in all; within other bounded work those bounds hold. */
export function withWaitingBudget<Result>(limitMs: number, work: () => Result): Result {
  return budgets.getStore() ? work() : budgets.run(new WaitingBudget(limitMs), work);
}

/** Runs what a request starts and does not wait for, outside its budget. */
export function withoutWaitingBudget<Result>(work: () => Result): Result {
  return budgets.run(undefined, work);
}

/** Returns what is left of the request's budget in milliseconds, at most `limitMs`; a limit of 0 is none. */
export function remainingWaitMs(limitMs: number): number {
  const remaining = budgets.getStore()?.remainingMs ?? Infinity;
  return Math.min(limitMs === 0 ? Infinity : limitMs, remaining);
}

/** Waits at most `limitMs`, 0 being no limit, and as long as the request's budget lasts. Throws a DatabaseTimeoutError. */
export async function waitForDatabase<Result>(limitMs: number, start: () => Promise<Result>): Promise<Result> {
  const budget = budgets.getStore();
  const milliseconds = remainingWaitMs(limitMs);
  // A timer may fire a fraction early.
  if (milliseconds < 1) throw new DatabaseTimeoutError('the request has no time left to wait for the database');
  budget?.begin();
  try {
    return await waitAtMost(milliseconds, start());
  } finally {
    budget?.end();
  }
}

/** Waits before a retry, as for the database. Returns false, at once, if no time would be left to try. */
export async function pauseBeforeRetry(milliseconds: number): Promise<boolean> {
  if (remainingWaitMs(0) <= milliseconds) return false;
  await waitForDatabase(0, () => sleep(milliseconds));
  return true;
}

export async function waitAtMost<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  if (milliseconds === Infinity) return work;
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    const fail = () => reject(new DatabaseTimeoutError(`no answer within ${Math.round(milliseconds)} ms`));
    // A busy process may find both the answer and the end at once; the answer is read first. Timers drop fractions of a
    // millisecond.
    timer = setTimeout(() => setImmediate(() => setImmediate(fail)), Math.ceil(milliseconds));
  });
  work.catch(() => {});
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
