import { Kysely, type LogConfig, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import Cursor from 'pg-cursor';
import type { Database } from './tables.ts';

/** A connection pool or an open transaction: what a query function takes. */
export type Db = Kysely<Database>;
export type Trx = Transaction<Database>;

export interface ConnectOptions {
  max?: number;
  statementTimeoutMs?: number;
  poolWaitMs?: number;
  log?: LogConfig;
  /** Called when a connection breaks, idle or in use; a running query also rejects by itself. */
  onConnectionError?: (error: Error) => void;
}

const pools = new WeakMap<Db, pg.Pool>();

/** Opens a pool on `url` that survives a restart of Postgres. */
export function connect(url: string, options: ConnectOptions = {}): Db {
  const pool = connectPool(url, options);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool, cursor: Cursor }), log: options.log });
  pools.set(db, pool);
  return db;
}

/** How many connections a pool has open, and how many requests wait for one. */
export function poolStateOf(db: Db): { total: number; idle: number; waiting: number } {
  const pool = pools.get(db);
  return { total: pool?.totalCount ?? 0, idle: pool?.idleCount ?? 0, waiting: pool?.waitingCount ?? 0 };
}

/** The bare pool, for what Kysely has no query for (COPY). */
function connectPool(
  url: string,
  { max = 10, statementTimeoutMs = 10_000, poolWaitMs = 3000, onConnectionError = () => {} }: ConnectOptions = {},
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: withTls(url),
    max,
    connectionTimeoutMillis: poolWaitMs,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: 10_000,
    application_name: 'flightline',
  });
  pool.on('error', onConnectionError);
  pool.on('connect', (client) => client.on('error', onConnectionError));
  return pool;
}

const HERE = ['', 'localhost', '127.0.0.1', '::1', '[::1]'];

/** Verified TLS to another machine, unless `sslmode` in the URL says otherwise. */
function withTls(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  const host = parsed.searchParams.get('host') ?? decodeURIComponent(parsed.hostname);
  if (host.startsWith('/') || HERE.includes(host)) return url;
  if (!parsed.searchParams.has('sslmode')) parsed.searchParams.set('sslmode', 'verify-full');
  return parsed.href;
}
