import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';

/** Makes every query that reads the column fail while `work` is done. */
export async function withoutColumn<Result>(db: Db, table: string, column: string, work: () => Promise<Result>) {
  const rename = (from: string, to: string) =>
    sql`alter table ${sql.table(table)} rename column ${sql.ref(from)} to ${sql.ref(to)}`.execute(db);
  await rename(column, `hidden_${column}`);
  try {
    return await work();
  } finally {
    await rename(`hidden_${column}`, column);
  }
}

/**
 * Does `work` with every reader of the table waiting, and ends the first connection that is seen to wait, as a
 * restarting Postgres would; the others go on after.
 */
export async function cutOffFirstReader<Result>(db: Db, table: string, work: () => Promise<Result>): Promise<Result> {
  const { result } = await db.transaction().execute(async (trx) => {
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(trx);
    const reading = { result: work() };
    await cutOffWaiting(db);
    return reading;
  });
  return result;
}

/** Begins `work` while a transaction that has made `change` is open, and commits it once the work waits. */
export async function whileOpen<Result>(
  db: Db,
  change: (trx: Trx) => Promise<unknown>,
  work: () => Promise<Result>,
): Promise<Result> {
  const { result } = await db.transaction().execute(async (trx) => {
    await change(trx);
    const begun = { result: work() };
    let ended = false;
    void begun.result.catch(() => {}).finally(() => (ended = true));
    while (!ended && (await countWaiting(db)) === 0) await sleep(10);
    return begun;
  });
  return result;
}

/** How many statements wait for a lock in this database. Not for a transaction, within which Postgres answers the same each time. */
export async function countWaiting(db: Db): Promise<number> {
  if (db.isTransaction) throw new Error('Ask another connection.');
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return (await waiting.execute(db)).rows.length;
}

async function cutOffWaiting(db: Db): Promise<void> {
  const cutOff = sql<{ done: boolean }>`
    select pg_terminate_backend(pid) as done from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  for (let ended = 0; ended === 0;) {
    await sleep(20);
    ended = (await cutOff.execute(db)).rows.length;
  }
}
