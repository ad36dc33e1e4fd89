import { sql, type Transaction } from 'kysely';
import { expect } from 'vitest';
import type { Db } from '#db/connect.server.ts';
import type { Database } from '#db/tables.ts';

const waiting = { timeout: 240_000, interval: 100 };

/**
 * Kills what `begin` starts once it comes to `moment`, as 'before insert on flight_logs for each row', and ends once
 * Postgres has noticed.
 */
export async function killWhileWaiting<Started extends { pid: number }>(
  db: Db,
  moment: string,
  begin: () => Promise<Started> | Started,
): Promise<Started> {
  await sql`create or replace function wait_for_test() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(1, 1); return new; end $$`.execute(db);
  await sql`create trigger wait_for_test ${sql.raw(moment)} execute function wait_for_test()`.execute(db);
  const waiters = async (on: Db | Transaction<Database>) =>
    (await sql`select 1 from pg_locks where locktype = 'advisory' and classid = 1 and not granted`.execute(on)).rows
      .length;
  const begun = await db.transaction().execute(async (trx) => {
    // A busy machine takes long to start a program.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
    await sql`select pg_advisory_xact_lock(1, 1)`.execute(trx);
    const started = await begin();
    await expect.poll(() => waiters(trx), waiting).toBe(1);
    process.kill(started.pid, 'SIGKILL');
    return started;
  });
  const others = async () =>
    (
      await sql`select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and state <> 'idle'`.execute(db)
    ).rows.length;
  await expect.poll(others, waiting).toBe(0);
  await sql`drop function wait_for_test cascade`.execute(db);
  return begun;
}
