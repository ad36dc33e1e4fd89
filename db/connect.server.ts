import { Kysely, type LogConfig, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import Cursor from 'pg-cursor';
import { BoundedPool } from './bounded-pool.ts';
import { ReadOnlyHostError } from './database-trouble.ts';
import {
  HOST_CONNECT_MS,
  IDLE_IN_TRANSACTION_MS,
  KEEP_ALIVE_MS,
  LOCK_MS,
  POOL_WAIT_MS,
  QUERY_MS,
} from './deadlines.ts';
import { Hosts, splitHosts } from './hosts.ts';
import { prepareSession, transactionSettings } from './prepare-session.ts';
import type { Database } from './tables.ts';
import { waitAtMost } from './waiting-budget.ts';

/** A connection pool or an open transaction: what a query function takes. */
export type Db = Kysely<Database>;
export type Trx = Transaction<Database>;

export interface ConnectOptions {
  max?: number;
  /** Each wait below is without an end if it is 0. */
  statementTimeoutMs?: number;
  /** Of a statement on this side; a cursor's statement takes longer than each of its reads. */
  queryMs?: number;
  lockTimeoutMs?: number;
  poolWaitMs?: number;
  log?: LogConfig;
  /** Called when a connection breaks, idle or in use; a running query also rejects by itself. */
  onConnectionError?: (error: Error) => void;
}

/** Opens a pool on `url`, which may name several hosts, that survives a restart of Postgres. */
export function connect(url: string, options: ConnectOptions = {}): Db {
  const dialect = new PostgresDialect({ pool: connectPool(url, options), cursor: Cursor });
  return new Kysely<Database>({ dialect, log: options.log });
}

function connectPool(
  url: string,
  {
    max = 10,
    statementTimeoutMs = QUERY_MS,
    queryMs = statementTimeoutMs,
    lockTimeoutMs = LOCK_MS,
    poolWaitMs = POOL_WAIT_MS,
    onConnectionError = () => {},
  }: ConnectOptions,
): BoundedPool {
  const hosts = new Hosts(splitHosts(url).map(withTls));
  const session = { statementTimeoutMs, lockTimeoutMs, idleInTransactionMs: IDLE_IN_TRANSACTION_MS };
  const connectMs = hosts.count > 1 ? HOST_CONNECT_MS : poolWaitMs;
  const shared = new WeakSet<pg.ClientBase>();
  const pool = new pg.Pool({
    Client: clientOf(hosts, connectMs),
    max,
    connectionTimeoutMillis: poolWaitMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    application_name: 'flightline',
    // eslint-disable-next-line @typescript-eslint/no-misused-promises -- pg-pool waits for it; its types do not say so
    onConnect: async (client) => {
      const { isReadOnly, isDirect } = await waitAtMost(connectMs || Infinity, prepareSession(client, session));
      if (isReadOnly && hosts.count > 1) throw new ReadOnlyHostError();
      if (!isDirect) shared.add(client);
    },
  });
  pool.on('error', onConnectionError);
  pool.on('connect', (client) => client.on('error', onConnectionError));
  return new BoundedPool(pool, {
    poolWaitMs,
    queryMs,
    hosts,
    transactionSettingsOf: (client) => (shared.has(client) ? transactionSettings(session) : undefined),
  });
}

/** Clients that go to the host of the moment. */
function clientOf(hosts: Hosts, connectMs: number) {
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionString: hosts.url, connectionTimeoutMillis: connectMs });
    }
  };
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
