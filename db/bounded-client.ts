import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { DatabaseTimeoutError, waitWithinBudget, withoutWaitingBudget } from './waiting-budget.ts';
import { READ_ONLY_CODE } from './database-trouble.ts';
import type { PreparedStatements } from './prepared-statements.ts';

interface ClientOptions {
  queryMs: number;
  /** Settings for each transaction, for connections on which those of the session do not reach the next statement. */
  transactionSettings: string | undefined;
  /** Names of prepared statements; undefined where statements are sent whole. */
  prepared: PreparedStatements | undefined;
  /** True if statements are sent before those ahead of them are answered. */
  isPipelined: boolean;
  /** Called when other connections may be as useless. */
  onDistrust: () => void;
}

interface NamedStatements {
  query<Row>(statement: { name: string; text: string; values: unknown[] }): Promise<PostgresQueryResult<Row>>;
}

const NO_ROWS = { command: 'SELECT', rowCount: 0, rows: [] } as const;

/** A connection whose every wait ends. It goes back to the pool only if it is as good as new. */
export class BoundedClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  readonly #options: ClientOptions;
  #broken: Error | undefined;
  readonly #onEnd = () => {
    this.#broken ??= new Error('Connection terminated unexpectedly');
    this.#endWait?.(this.#broken);
  };
  /** Postgres says why it ends a connection even where no statement waits to hear it. */
  readonly #onError = (error: Error) => {
    this.#broken ??= error;
  };
  #endWait: ((error: Error) => void) | undefined;
  #ahead: Promise<unknown> = Promise.resolve();

  constructor(client: pg.PoolClient, options: ClientOptions) {
    this.#client = client;
    this.#options = options;
    client.once('end', this.#onEnd);
    client.once('error', this.#onError);
  }

  query<Row>(sql: string, parameters: ReadonlyArray<unknown>): Promise<PostgresQueryResult<Row>>;
  query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  query<Row>(sqlOrCursor: string | PostgresCursor<Row>, parameters: ReadonlyArray<unknown> = []) {
    return typeof sqlOrCursor === 'string' ? this.#run<Row>(sqlOrCursor, parameters) : this.#open(sqlOrCursor);
  }

  /** Streams `copy … to stdout`; `begin` waits for the first chunk. A reader who leaves early breaks the connection. */
  async *copy(sql: string, begin = immediately): AsyncGenerator<Buffer, void> {
    // The stream fails with its connection even if nobody has begun to read it.
    const stream = this.#client.query(copyTo(sql)).on('error', () => {});
    const chunks = stream[Symbol.asyncIterator]();
    const next = () => this.#wait(() => this.#untilEnd<IteratorResult<Buffer, void>>(chunks.next()));
    let isEnded = false;
    try {
      let chunk = await begin(next);
      for (; !chunk.done; chunk = await withoutWaitingBudget(next)) yield chunk.value;
      isEnded = true;
    } catch (error) {
      isEnded = true;
      throw error;
    } finally {
      if (!isEnded) this.#broken ??= new Error('nobody read on');
    }
  }

  release(): void {
    this.#client.removeListener('end', this.#onEnd);
    this.#client.removeListener('error', this.#onError);
    this.#client.release(this.#broken);
  }

  async #run<Row>(sql: string, parameters: ReadonlyArray<unknown>): Promise<PostgresQueryResult<Row>> {
    if (this.#broken) {
      // The transaction has ended with its connection; the caller is to hear why, from the error of before.
      if (sql === 'rollback') return { ...NO_ROWS, rows: [] };
      throw this.#broken;
    }
    if (this.#options.isPipelined) {
      return sql === 'begin' ? this.#beginWithNext() : this.#start<Row>(sql, parameters);
    }
    const answer = this.#ahead.then(() => this.#start<Row>(sql, parameters));
    this.#ahead = answer.catch(() => {});
    return answer;
  }

  /** The first statement need not wait for its answer; without a transaction nothing more is sent. */
  async #beginWithNext<Row>(): Promise<PostgresQueryResult<Row>> {
    this.#start('begin', []).catch((error: Error) => (this.#broken ??= error));
    return { ...NO_ROWS, rows: [] };
  }

  #start<Row>(sql: string, parameters: ReadonlyArray<unknown>): Promise<PostgresQueryResult<Row>> {
    const name = this.#options.prepared?.nameOf(sql, parameters);
    // The cork makes one write of statements that are sent at once.
    const { stream } = this.#client.connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
    return name === undefined ? this.#send(sql, parameters) : this.#sendNamed(name, sql, parameters);
  }

  #send<Row>(sql: string, parameters: ReadonlyArray<unknown>): Promise<PostgresQueryResult<Row>> {
    const client: PostgresPoolClient = this.#client;
    return this.#wait(() => client.query<Row>(this.#withSettings(sql), parameters));
  }

  /** A statement that was refused for its name did nothing; a transaction has ended by that, and is for its caller to repeat. */
  async #sendNamed<Row>(name: string, text: string, parameters: ReadonlyArray<unknown>) {
    const client: NamedStatements = this.#client;
    try {
      return await this.#wait(() => client.query<Row>({ name, text, values: [...parameters] }));
    } catch (error) {
      const isRefused = this.#options.prepared?.isRefused(error, name) ?? false;
      if (!isRefused || this.#client.getTransactionStatus() !== 'I') throw error;
      return this.#send<Row>(text, parameters);
    }
  }

  #withSettings(sql: string): string {
    const { transactionSettings } = this.#options;
    return sql === 'begin' && transactionSettings ? `begin; ${transactionSettings}` : sql;
  }

  #open<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row> {
    const client: PostgresPoolClient = this.#client;
    const opened = client.query(cursor);
    let isFirst = true;
    return {
      read: (rows) => {
        const read = () => this.#wait(() => this.#untilEnd(opened.read(rows)));
        // A download may take minutes, after its first rows.
        const batch = isFirst ? read() : withoutWaitingBudget(read);
        isFirst = false;
        return batch;
      },
      // node-postgres waits for ever for the close of a cursor whose connection is gone.
      close: async () => {
        if (!this.#broken) await withoutWaitingBudget(() => this.#wait(() => this.#untilEnd(opened.close())));
      },
    };
  }

  #untilEnd<Result>(work: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#endWait = reject;
      work.then(resolve, reject);
    });
  }

  async #wait<Result>(start: () => Promise<Result>): Promise<Result> {
    try {
      return await waitWithinBudget(this.#options.queryMs, start);
    } catch (error) {
      if (leavesUsable(error)) throw error;
      this.#broken ??= error instanceof Error ? error : new Error(String(error));
      if (error instanceof DatabaseTimeoutError || isReadOnly(error)) this.#options.onDistrust();
      throw error;
    }
  }
}

function immediately<Result>(work: () => Result): Result {
  return work();
}

/** Returns true if Postgres itself refused the statement and goes on to serve the connection. */
function leavesUsable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR' && !isReadOnly(error);
}

function isReadOnly(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === READ_ONLY_CODE;
}
