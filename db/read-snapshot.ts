import { type Db, poolOf } from './connect.server.ts';
import { withoutWaitingBudget } from './waiting-budget.ts';

/** One moment of the database, which stays readable for as long as its reader takes. */
export interface Snapshot {
  query<Row>(sql: string, parameters?: unknown[]): Promise<Row[]>;
  /** Streams a line for each row of a query with one column and no parameters, whose text has no control characters. */
  copyLines(sql: string): AsyncGenerator<Buffer, void>;
  /** Streams a query without parameters as CSV after a header. */
  copyCsv(sql: string): AsyncGenerator<Buffer, void>;
}

const SETTINGS = `select set_config('timezone', 'UTC', true), set_config('statement_timeout', '0', true),
  set_config('idle_in_transaction_session_timeout', '0', true)`;

/** Hands on what `read` gives, on one connection, which is free once its reader has left. */
export async function* readSnapshot<Item>(
  db: Db,
  read: (snapshot: Snapshot) => AsyncGenerator<Item, void>,
): AsyncGenerator<Item, void> {
  const client = await poolOf(db).connect();
  const query = async <Row>(sql: string, parameters: unknown[] = []) =>
    (await withoutWaitingBudget(() => client.query<Row>(sql, parameters))).rows;
  try {
    await client.query('begin', []);
    await client.query('set transaction isolation level repeatable read, read only', []);
    await client.query(SETTINGS, []);
    yield* read({
      query,
      copyLines: (sql) => client.copy(`copy (${sql}) to stdout ${RAW}`, withoutWaitingBudget),
      copyCsv: (sql) => client.copy(`copy (${sql}) to stdout (format csv, header)`, withoutWaitingBudget),
    });
  } finally {
    await query('rollback').catch(() => {});
    client.release();
  }
}

// The format leaves such text without quotes and escapes.
const RAW = `(format csv, delimiter e'\\x02', quote e'\\x01')`;
