import type { Db, Trx } from './connect.server.ts';

const RETRIED = new Set(['40001', '40P01']);
const ATTEMPTS = 4;

/**
 * Runs `work` in one transaction and commits, or rolls back and throws.
 * A serialization failure or a deadlock is run again, three times at most; nothing else is.
 */
export async function inTransaction<Result>(db: Db, work: (trx: Trx) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt === ATTEMPTS || !RETRIED.has(codeOf(error) ?? '')) throw error;
    }
  }
}

/** Postgres' SQLSTATE of an error, if it came from there. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The constraint or unique index that Postgres named in refusing a write, if one did. */
export function constraintOf(error: unknown): string | undefined {
  return error instanceof Error && 'constraint' in error && typeof error.constraint === 'string'
    ? error.constraint
    : undefined;
}
