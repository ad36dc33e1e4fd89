import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import { fromNow, now } from './database-clock.server.ts';

interface Count {
  count: number;
  /** The attempts that are left of the most that are allowed; it is negative past them. */
  left: number;
  secondsLeft: number;
}

/** Counts by key within a window of time, in this process, where a flood is met; `countInDatabase` counts for all processes. */
export class Limiter {
  readonly #windows = new Map<string, { count: number; endsAt: number }>();

  /** `isUntilSilent`: each count begins the window anew, rather than the first one only. */
  constructor(
    private readonly most: number,
    private readonly windowMs: number,
    private readonly isUntilSilent = false,
  ) {}

  count(key: string): Count {
    const { count, endsAt } = this.#windowOf(key);
    // The map keeps the latest last.
    this.#windows.delete(key);
    this.#windows.set(key, { count: count + 1, endsAt: this.isUntilSilent ? Date.now() + this.windowMs : endsAt });
    for (const [each, window] of this.#windows) {
      if (window.endsAt > Date.now()) break;
      this.#windows.delete(each);
    }
    return this.look(key);
  }

  look(key: string): Count {
    const { count, endsAt } = this.#windowOf(key);
    const secondsLeft = Math.max(Math.ceil((endsAt - Date.now()) / 1000), 1);
    return { count, left: this.most - count, secondsLeft };
  }

  clear(): void {
    this.#windows.clear();
  }

  #windowOf(key: string): { count: number; endsAt: number } {
    const window = this.#windows.get(key);
    return window && window.endsAt > Date.now() ? window : { count: 0, endsAt: Date.now() + this.windowMs };
  }
}

/** Counts one more of a key within its window, in minutes, by the database's clock. */
export function countInDatabase(db: Db, key: string, minutes: number): Promise<Omit<Count, 'left'>> {
  return db
    .insertInto('login_attempts')
    .values({ key, failures: 1, expires_at: fromNow(minutes, 'minutes') })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        failures: sql`case when login_attempts.expires_at < now() then 1 else login_attempts.failures + 1 end`,
        expires_at: sql`case when login_attempts.expires_at < now() then excluded.expires_at else login_attempts.expires_at end`,
      }),
    )
    .returning([
      'failures as count',
      sql<number>`ceil(extract(epoch from expires_at - now()))::integer`.as('secondsLeft'),
    ])
    .executeTakeFirstOrThrow();
}

/** Lets the count of a key stand for so many minutes from now. */
export async function prolongInDatabase(db: Db, key: string, minutes: number): Promise<void> {
  await db
    .updateTable('login_attempts')
    .set({ expires_at: fromNow(minutes, 'minutes') })
    .where('key', '=', key)
    .execute();
}

export async function deleteEndedCounts(db: Db): Promise<void> {
  await db.deleteFrom('login_attempts').where('expires_at', '<', now).execute();
}
