import type { PostgresPool } from 'kysely';
import type pg from 'pg';
import { BoundedClient } from './bounded-client.ts';
import type { Hosts } from './hosts.ts';
import type { PreparedStatements } from './prepared-statements.ts';
import { waitWithinBudget } from './waiting-budget.ts';

const POOL_IS_BUSY = 'timeout exceeded when trying to connect';

interface PoolOptions {
  poolWaitMs: number;
  queryMs: number;
  hosts: Hosts;
  /** Returns the settings that each transaction has to make; undefined if the session has them. */
  transactionSettingsOf: (client: pg.ClientBase) => string | undefined;
  /** Returns true if the connection takes statements before those ahead of them are answered. */
  isPipelined: (client: pg.ClientBase) => boolean;
  preparedOf: (client: pg.ClientBase) => PreparedStatements | undefined;
}

export interface PoolState {
  total: number;
  idle: number;
  waiting: number;
}

/** Hands out connections whose waits end, and none that was opened before another one fell silent. */
export class BoundedPool implements PostgresPool {
  readonly #pool: pg.Pool;
  readonly #options: PoolOptions;
  readonly #distrusted = new WeakSet<pg.ClientBase>();
  readonly #open = new Set<pg.ClientBase>();

  constructor(pool: pg.Pool, options: PoolOptions) {
    this.#pool = pool;
    this.#options = options;
    pool.on('connect', (client) => this.#open.add(client));
    pool.on('remove', (client) => this.#open.delete(client));
  }

  async connect(): Promise<BoundedClient> {
    const acquiring = this.#acquire();
    try {
      const client = await waitWithinBudget(this.#options.poolWaitMs, () => acquiring);
      return new BoundedClient(client, {
        queryMs: this.#options.queryMs,
        transactionSettings: this.#options.transactionSettingsOf(client),
        prepared: this.#options.preparedOf(client),
        isPipelined: this.#options.isPipelined(client),
        onDistrust: () => this.#distrustAll(),
      });
    } catch (error) {
      acquiring.then(
        (late) => late.release(),
        () => {},
      );
      throw error;
    }
  }

  get state(): PoolState {
    const { totalCount: total, idleCount: idle, waitingCount: waiting } = this.#pool;
    return { total, idle, waiting };
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  async #acquire(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.#connectToAnyHost();
      if (!this.#distrusted.has(client)) return client;
      client.release(true);
      // The connection is destroyed at once, because nobody may read its goodbye.
      client.connection.stream.destroy();
    }
  }

  async #connectToAnyHost(): Promise<pg.PoolClient> {
    const { hosts } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      const { url } = hosts;
      try {
        return await this.#pool.connect();
      } catch (error) {
        if (error instanceof Error && error.message === POOL_IS_BUSY) throw error;
        hosts.moveOnFrom(url);
        if (attempt === hosts.count) throw error;
      }
    }
  }

  #distrustAll(): void {
    for (const client of this.#open) this.#distrusted.add(client);
  }
}
