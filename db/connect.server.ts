import { Kysely, type LogConfig, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import Cursor from 'pg-cursor';
import type { Database } from './tables.ts';

/** A connection pool or an open transaction: what a query function takes. */
export type Db = Kysely<Database>;
export type Trx = Transaction<Database>;

export interface ConnectOptions {
  /** Connections at most. */
  max?: number;
  /** Milliseconds a statement may take; exports take longer than pages. */
  statementTimeout?: number;
  /** Milliseconds to wait for a connection; where few are shared by slow work, one waits its turn. */
  poolWaitMs?: number;
  log?: LogConfig;
  /** Told of a connection that breaks while idle or at work; the query in hand fails by itself. */
  onConnectionError?: (error: Error) => void;
}

/** Opens a pool on `url`. A Postgres that restarts costs the queries in hand, never the process. */
export function connect(url: string, options: ConnectOptions = {}): Db {
  const dialect = new PostgresDialect({ pool: connectPool(url, options), cursor: Cursor });
  return new Kysely<Database>({ dialect, log: options.log });
}

/** The bare pool, for what speaks to pg itself (COPY). */
export function connectPool(url: string, options: ConnectOptions = {}): pg.Pool {
  const { max = 10, statementTimeout = 10_000, poolWaitMs: patience = 3000, onConnectionError = () => {} } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: patience,
    statement_timeout: statementTimeout,
    idle_in_transaction_session_timeout: 10_000,
    application_name: 'flightline',
  });
  pool.on('error', onConnectionError);
  pool.on('connect', (client) => client.on('error', onConnectionError));
  return pool;
}
