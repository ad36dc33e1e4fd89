import { Kysely, type LogConfig, PostgresDialect, type Transaction } from 'kysely';
import pg from './driver.ts';
import Cursor from 'pg-cursor';
import { BoundedPool, type PoolState } from './bounded-pool.ts';
import { ReadOnlyHostError } from './database-trouble.ts';
import {
  COMMAND_CONNECT_MS,
  HOST_CONNECT_MS,
  IDLE_IN_TRANSACTION_MS,
  DATABASE_KEEP_ALIVE_DELAY_MS,
  LOCK_WAIT_MS,
  POOL_WAIT_MS,
  QUERY_MS,
} from './deadlines.ts';
import { Hosts, isThisMachine, splitHosts } from './hosts.ts';
import { PreparedStatements } from './prepared-statements.ts';
import { prepareSession, transactionSettingsStatement } from './prepare-session.ts';
import type { Database } from './tables.ts';
import { waitAtMost } from './waiting-budget.ts';

/** A connection pool or an open transaction: what a query function takes. */
export type Db = Kysely<Database>;
export type Trx = Transaction<Database>;

export interface ConnectOptions {
  max?: number;
  /** A limit of 0, here and in the next four, is a wait without an end. */
  statementTimeoutMs?: number;
  /** Limit on this side for one statement; a cursor's statement takes longer than each of its reads. */
  queryMs?: number;
  lockTimeoutMs?: number;
  idleInTransactionMs?: number;
  poolWaitMs?: number;
  /** Sends statements that are asked for at once without waiting in between; cursors and COPY cannot be used then. */
  pipelines?: boolean;
  /** 'direct' prepares on connections that nobody shares; poolers of transactions share theirs. */
  prepares?: 'never' | 'direct' | 'always';
  /** Called once, when a connection did not have what was prepared on it. Nothing is prepared after that. */
  onUnprepared?: (error: Error) => void;
  log?: LogConfig;
  /** The name that the server shows for these connections. Commands see by it whether the product runs. */
  applicationName?: string;
  /** Called when a connection breaks, idle or in use; a running query also rejects by itself. */
  onConnectionError?: (error: Error) => void;
}

export const PRODUCT_APPLICATION_NAME = 'flightline';
export const COMMAND_APPLICATION_NAME = 'flightline command';

/** Turns the limits off: they are for requests, while a command may take as long as a slow machine needs. */
export const NO_TIME_OUTS = { statementTimeoutMs: 0, lockTimeoutMs: 0, idleInTransactionMs: 0 };

const pools = new WeakMap<Db, BoundedPool>();
const pipelinedDialects = new WeakMap<Db, PostgresDialect>();

/** Opens a pool on `url`, which may name several hosts, that survives a restart of Postgres. */
export function connect(url: string, options: ConnectOptions = {}): Db {
  const pool = connectPool(url, options);
  const dialect = new PostgresDialect({ pool, cursor: Cursor });
  const db = new Kysely<Database>({ dialect, log: options.log });
  pools.set(db, pool);
  if (options.pipelines) pipelinedDialects.set(db, dialect);
  return db;
}

/** Returns the dialect of a pool whose connections take several statements at once; undefined for others. */
export function pipelinedDialectOf(db: Db): PostgresDialect | undefined {
  return pipelinedDialects.get(db);
}

/** Returns the pool behind what `connect` opened. */
export function poolOf(db: Db): BoundedPool {
  const pool = pools.get(db);
  if (!pool) throw new Error('this is no pool of connections');
  return pool;
}

export function poolStateOf(db: Db): PoolState {
  return pools.get(db)?.state ?? { total: 0, idle: 0, waiting: 0 };
}

/** Opens one connection without deadlines, for what Kysely has no query for (COPY). The caller ends it. */
export async function connectClient(url: string, applicationName: string): Promise<pg.Client> {
  const hosts = new Hosts(splitHosts(url).map(withTls));
  for (let attempt = 1; ; attempt += 1) {
    const client = new pg.Client({
      connectionString: hosts.url,
      connectionTimeoutMillis: COMMAND_CONNECT_MS,
      application_name: applicationName,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (attempt === hosts.count) throw error;
      hosts.moveOnFrom(hosts.url);
    }
  }
}

function connectPool(
  url: string,
  {
    max = 10,
    statementTimeoutMs = QUERY_MS,
    queryMs = statementTimeoutMs,
    lockTimeoutMs = LOCK_WAIT_MS,
    idleInTransactionMs = IDLE_IN_TRANSACTION_MS,
    poolWaitMs = POOL_WAIT_MS,
    pipelines = false,
    prepares = 'never',
    onUnprepared = () => {},
    applicationName = PRODUCT_APPLICATION_NAME,
    onConnectionError = () => {},
  }: ConnectOptions,
): BoundedPool {
  const hosts = new Hosts(splitHosts(url).map(withTls));
  const session = { statementTimeoutMs, lockTimeoutMs, idleInTransactionMs };
  const connectMs = hosts.count > 1 ? HOST_CONNECT_MS : poolWaitMs;
  const shared = new WeakSet<pg.ClientBase>();
  const prepared = new PreparedStatements(onUnprepared);
  const isPrepared = (client: pg.ClientBase) => prepares === 'always' || (prepares === 'direct' && !shared.has(client));
  const pool = new pg.Pool({
    Client: clientOf(hosts, connectMs),
    max,
    pipeline: pipelines,
    connectionTimeoutMillis: poolWaitMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: DATABASE_KEEP_ALIVE_DELAY_MS,
    application_name: applicationName,
    // oxlint-disable-next-line typescript/no-misused-promises -- pg-pool waits for it; its types do not say so
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
    transactionSettingsOf: (client) => (shared.has(client) ? transactionSettingsStatement(session) : undefined),
    isPipelined: (client) => pipelines && !shared.has(client),
    preparedOf: (client) => (isPrepared(client) ? prepared : undefined),
  });
}

/** Makes a class of clients that go to the host of the moment. */
function clientOf(hosts: Hosts, connectMs: number) {
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionString: hosts.url, connectionTimeoutMillis: connectMs });
    }
  };
}

/** Requires verified TLS to another machine, unless `sslmode` in the URL says otherwise. */
function withTls(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  const host = parsed.searchParams.get('host') ?? decodeURIComponent(parsed.hostname);
  if (host.startsWith('/') || isThisMachine(host)) return url;
  if (!parsed.searchParams.has('sslmode')) parsed.searchParams.set('sslmode', 'verify-full');
  return parsed.href;
}
