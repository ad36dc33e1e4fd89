import type { Db, Trx } from './connect.server.ts';
import { isConnectionLost } from './database-trouble.ts';
import { RECONNECT_DELAY_MS } from './deadlines.ts';
import { beginTransaction } from './pipelined-transaction.ts';
import { isPreparationRefused } from './prepared-statements.ts';
import { pauseBeforeRetry } from './waiting-budget.ts';

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const MAX_ATTEMPTS = 4;
const MAX_CONNECTIONS = 3;

interface TransactionOptions {
  /** True if the work finds what it committed again, so that it may be done anew after a lost answer. */
  isIdempotent?: boolean;
}

/** Runs `work` in one transaction, at most four times, if Postgres undid it for a passing reason. */
export async function inTransaction<Result>(
  db: Db,
  work: (trx: Trx) => Promise<Result>,
  { isIdempotent = false }: TransactionOptions = {},
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    let mayBeCommitted = false;
    try {
      return await beginTransaction(db, async (trx) => {
        const result = await work(trx);
        mayBeCommitted = true;
        return result;
      });
    } catch (error) {
      if (attempt < MAX_ATTEMPTS && isRetryable(error)) continue;
      const isLost = isConnectionLost(error) && (isIdempotent || !mayBeCommitted);
      if (!isLost || attempt >= MAX_CONNECTIONS) throw error;
      if (!(await pauseBeforeRetry(attempt * RECONNECT_DELAY_MS))) throw error;
    }
  }
}

/** Returns the constraint or unique index that Postgres named in rejecting a write, if it did. */
export function constraintOf(error: unknown): string | undefined {
  return error instanceof Error && 'constraint' in error && typeof error.constraint === 'string'
    ? error.constraint
    : undefined;
}

function isRetryable(error: unknown): boolean {
  if (isPreparationRefused(error)) return true;
  if (!(error instanceof Error && 'code' in error)) return false;
  return error.code === SERIALIZATION_FAILURE || error.code === DEADLOCK_DETECTED;
}
