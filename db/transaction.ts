import { setImmediate } from 'node:timers/promises';
import { CompiledQuery, type DatabaseConnection, DummyDriver, type PostgresDialect, Transaction } from 'kysely';
import { type Db, pipelinedDialectOf, type Trx } from './connect.server.ts';
import { isConnectionLost } from './database-trouble.ts';
import { TRANSACTION_RETRY_DELAY_MS } from './deadlines.ts';
import { isPreparationRefused } from './prepared-statements.ts';
import { pauseBeforeRetry } from './waiting-budget.ts';
import type { Database } from './tables.ts';

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
      return await runOnceInTransaction(db, async (trx) => {
        const result = await work(trx);
        mayBeCommitted = true;
        return result;
      });
    } catch (error) {
      if (attempt < MAX_ATTEMPTS && isRetryable(error)) continue;
      const isLost = isConnectionLost(error) && (isIdempotent || !mayBeCommitted);
      if (!isLost || attempt >= MAX_CONNECTIONS) throw error;
      if (!(await pauseBeforeRetry(attempt * TRANSACTION_RETRY_DELAY_MS))) throw error;
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

/** Begins a transaction of Kysely's, or one that sends at once the statements that are asked for at once. */
export function runOnceInTransaction<Result>(db: Db, work: (trx: Trx) => Promise<Result>): Promise<Result> {
  const dialect = pipelinedDialectOf(db);
  return dialect ? runPipelined(db, dialect, work) : db.transaction().execute(work);
}

function runPipelined<Result>(db: Db, dialect: PostgresDialect, work: (trx: Trx) => Promise<Result>): Promise<Result> {
  return db.getExecutor().provideConnection(async (connection) => {
    const open = new OpenConnection(connection);
    const executor = db.getExecutor().withConnectionProvider(open);
    const trx = new Transaction<Database>({ config: { dialect }, dialect, driver: new DummyDriver(), executor });
    await connection.executeQuery(CompiledQuery.raw('begin'));
    try {
      const result = await work(trx);
      open.close();
      await connection.executeQuery(CompiledQuery.raw('commit'));
      return result;
    } catch (error) {
      open.close();
      await connection.executeQuery(CompiledQuery.raw('rollback'));
      throw error;
    }
  });
}

const IN_FAILED_TRANSACTION = '25P02';

/** Hands out the connection as long as the transaction lasts. */
class OpenConnection {
  #isOpen = true;

  constructor(private readonly connection: DatabaseConnection) {}

  async provideConnection<Result>(consumer: (connection: DatabaseConnection) => Promise<Result>): Promise<Result> {
    if (!this.#isOpen) throw new Error('the transaction has ended');
    try {
      return await consumer(this.connection);
    } catch (error) {
      // The statement that failed has the reason, and may have more steps to go until its error is heard.
      if (error instanceof Error && 'code' in error && error.code === IN_FAILED_TRANSACTION) await setImmediate();
      throw error;
    }
  }

  close(): void {
    this.#isOpen = false;
  }
}
