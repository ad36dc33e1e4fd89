import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import pg from 'pg';
import type { Db } from '#db/connect.server.ts';
import type { Database } from '#db/tables.ts';
import { countWaiting } from './faults.ts';

type Pause = (position: number) => Promise<void>;

/** A pool on which each statement, 'begin' and 'commit' too, waits for what is done at its position, from 1 on. */
export class PausingDatabase {
  readonly db: Db;
  #position = 0;
  #pause: Pause = async () => {};

  constructor(url: string) {
    const pool = new pg.Pool({ connectionString: url, max: 4 });
    const pausing: PostgresPool = { connect: async () => this.#pausing(await pool.connect()), end: () => pool.end() };
    this.db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: pausing }) });
  }

  /** Does `work` with `pause` before each statement; how many there were. */
  async count(work: () => Promise<unknown>, pause: Pause = async () => {}): Promise<number> {
    this.#position = 0;
    this.#pause = pause;
    try {
      await work();
    } finally {
      this.#pause = async () => {};
    }
    return this.#position;
  }

  #pausing(client: pg.PoolClient): pg.PoolClient {
    return new Proxy(client, {
      get: (target, name) => {
        if (name !== 'query') return Reflect.get(target, name, target);
        return async (text: string, values?: unknown[]) => {
          this.#position += 1;
          await this.#pause(this.#position);
          return target.query(text, values);
        };
      },
    });
  }
}

/** Whether the change was committed, or waits for a lock that somebody else holds. */
export async function outcomeOf(db: Db, change: Promise<unknown>): Promise<'committed' | 'waiting'> {
  let isCommitted = false;
  void change.then(() => (isCommitted = true));
  for (;;) {
    const waiting = await countWaiting(db);
    if (isCommitted) return 'committed';
    if (waiting > 0) return 'waiting';
  }
}
