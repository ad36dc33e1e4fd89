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
  /** What the server shows for its connections; by it, the commands see whether the product runs. */
  applicationName?: string;
  /** Called when a connection breaks, idle or in use; a running query also rejects by itself. */
  onConnectionError?: (error: Error) => void;
}

const pools = new WeakMap<Db, pg.Pool>();
/** Name of the connections of the served product. */
export const PRODUCT_CONNECTION = 'flightline';
export const COMMAND_CONNECTION = 'flightline command';

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

/** One connection without deadlines, for what Kysely has no query for (COPY). The caller ends it. */
export async function connectClient(url: string, applicationName: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: withTls(url),
    connectionTimeoutMillis: 10_000,
    application_name: applicationName,
  });
  client.on('error', () => {});
  await client.connect();
  return client;
}

function connectPool(url: string, options: ConnectOptions): pg.Pool {
  const { max = 10, statementTimeoutMs = 10_000, poolWaitMs = 3000, onConnectionError = () => {} } = options;
  const pool = new pg.Pool({
    connectionString: withTls(url),
    max,
    connectionTimeoutMillis: poolWaitMs,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: 10_000,
    application_name: options.applicationName ?? PRODUCT_CONNECTION,
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
