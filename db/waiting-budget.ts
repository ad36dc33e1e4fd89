import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

export class DatabaseTimeoutError extends Error {}

/** The time that one request has left to wait for the database, however many statements it sends, also at once. */
interface Budget {
  leftMs: number;
  /** How many waits are under way, and since when there is one. */
  waits: number;
  since: number;
}

const budgets = new AsyncLocalStorage<Budget | undefined>();

/** Bounds what `work` waits for the database in all; within other bounded work those bounds hold. */
export function withWaitingBudget<Result>(limitMs: number, work: () => Result): Result {
  return budgets.getStore() ? work() : budgets.run({ leftMs: limitMs, waits: 0, since: 0 }, work);
}

/** Runs what a request starts and does not wait for, outside its budget. */
export function withoutWaitingBudget<Result>(work: () => Result): Result {
  return budgets.run(undefined, work);
}

/** Returns what is left of the request's budget in milliseconds, at most `limitMs`; a limit of 0 is none. */
export function remainingWaitMs(limitMs: number): number {
  const { leftMs, waits, since } = budgets.getStore() ?? { leftMs: Infinity, waits: 0, since: 0 };
  const waitedMs = waits > 0 ? performance.now() - since : 0;
  return Math.max(0, Math.min(limitMs === 0 ? Infinity : limitMs, leftMs - waitedMs));
}

/** Waits at most `limitMs`, 0 being no limit, and as long as the request's budget lasts. Throws a DatabaseTimeoutError. */
export async function waitWithinBudget<Result>(limitMs: number, start: () => Promise<Result>): Promise<Result> {
  const milliseconds = remainingWaitMs(limitMs);
  // A timer may fire a fraction early.
  if (milliseconds < 1) throw new DatabaseTimeoutError('the request has no time left to wait for the database');
  return countAsDatabaseWait(() => waitAtMost(milliseconds, start()));
}

/** Counts what the work takes as waiting for the database, which is for the work to end in time. */
export async function countAsDatabaseWait<Result>(work: () => Promise<Result>): Promise<Result> {
  const budget = budgets.getStore();
  if (!budget) return work();
  if (budget.waits === 0) budget.since = performance.now();
  budget.waits += 1;
  try {
    return await work();
  } finally {
    budget.waits -= 1;
    if (budget.waits === 0) budget.leftMs -= performance.now() - budget.since;
  }
}

/** Waits before a retry, as for the database. Returns false, at once, if no time would be left to try. */
export async function pauseBeforeRetry(milliseconds: number): Promise<boolean> {
  if (remainingWaitMs(0) <= milliseconds) return false;
  await waitWithinBudget(0, () => sleep(milliseconds));
  return true;
}

export function waitAtMost<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  if (milliseconds === Infinity) return work;
  return new Promise((resolve, reject) => {
    const fail = () => reject(new DatabaseTimeoutError(`no answer within ${Math.round(milliseconds)} ms`));
    // A busy process may find both the answer and the end at once; the answer is read first. Timers drop fractions of a
    // millisecond.
    const timer = setTimeout(() => setImmediate(() => setImmediate(fail)), Math.ceil(milliseconds));
    work.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
