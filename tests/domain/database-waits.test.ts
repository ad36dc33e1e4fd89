import { execFileSync } from 'node:child_process';
import { sql } from 'kysely';
import { expect, it, onTestFinished, vi } from 'vitest';
import { connect, type ConnectOptions, type Db, poolOf, poolStateOf } from '#db/connect.server.ts';
import { copyOut } from '#db/copy-out.ts';
import { TRANSACTION_RETRY_DELAY_MS } from '#db/deadlines.ts';
import { inTransaction } from '#db/transaction.ts';
import { remainingWaitMs, waitWithinBudget, withoutWaitingBudget, withWaitingBudget } from '#db/waiting-budget.ts';
import { testDatabase } from '#tests/support/database.ts';
import { ownerUrl } from '#tests/support/database-url.ts';
import { PostgresProxy } from '#tests/support/postgres-proxy.ts';
import { nightly } from '#tests/support/takes-all.ts';

const { db: direct, url } = await testDatabase();
const PATIENT = 120_000;
/** Longer than a busy machine takes to answer. */
const SILENT_MS = 2000;

async function proxied(options: ConnectOptions) {
  const proxy = await PostgresProxy.start(url);
  const db = connect(proxy.url, { lockTimeoutMs: PATIENT, poolWaitMs: PATIENT, ...options });
  onTestFinished(async () => {
    await proxy.close();
    await db.destroy();
  });
  return { proxy, db };
}

const one = async (db: Db) => (await sql<{ one: number }>`select 1 as one`.execute(db)).rows[0]?.one;

/** Opens that many connections, which then are idle. */
async function warm(db: Db, connections: number): Promise<void> {
  let begun = 0;
  let release = () => {};
  const all = new Promise<void>((resolve) => (release = resolve));
  const holders = Array.from({ length: connections }, () =>
    db.connection().execute(async (connection) => {
      await one(connection);
      begun += 1;
      if (begun === connections) release();
      await all;
    }),
  );
  await Promise.all(holders);
}

it('a statement on a silent connection fails after its limit, and no connection of that time is used again (B500)', async () => {
  const { proxy, db } = await proxied({ queryMs: SILENT_MS, max: 5 });
  await warm(db, 5);
  proxy.silence();
  await expect(one(db)).rejects.toThrow(`no answer within ${SILENT_MS} ms`);
  expect(await Promise.all(Array.from({ length: 5 }, () => one(db)))).toEqual([1, 1, 1, 1, 1]);
  expect(proxy.connections).toBeLessThanOrEqual(5);
});

nightly(
  'a transaction whose connection fell silent fails with that, rather than with the failure to roll back (B500)',
  async () => {
    const { proxy, db } = await proxied({ queryMs: SILENT_MS });
    const failing = db.transaction().execute(async (trx) => {
      await one(trx);
      proxy.silence();
      await one(trx);
    });
    await expect(failing).rejects.toThrow(`no answer within ${SILENT_MS} ms`);
    expect(await one(db)).toBe(1);
  },
);

nightly(
  'waiting for a connection to a paused database ends at its limit, and succeeds once the database goes on (B500)',
  async () => {
    const { proxy, db } = await proxied({ poolWaitMs: 200, queryMs: PATIENT });
    proxy.pause();
    await expect(one(db)).rejects.toThrow(/timeout|no answer/);
    proxy.resume();
    await expect.poll(() => one(db).catch(() => 0), { timeout: PATIENT }).toBe(1);
  },
);

it('a request without time left asks nothing more of the database; what it leaves behind has its own time (B501)', async () => {
  const { proxy, db } = await proxied({ queryMs: PATIENT });
  await warm(db, 1);
  await withWaitingBudget(SILENT_MS, async () => {
    await expect(sql`select pg_sleep(60)`.execute(db)).rejects.toThrow(/no answer within/);
    proxy.statements = [];
    await expect(one(db)).rejects.toThrow(/no time left/);
    expect(proxy.statements).toEqual([]);
    expect(await withoutWaitingBudget(() => one(db))).toBe(1);
  });
});

nightly(
  'who has waited until the end of the time has none left, whatever part of a millisecond it ends with (B501)',
  async () => {
    const wait = () => waitWithinBudget(0, () => new Promise(() => {}));
    for (let tries = 0; tries < 50; tries += 1) {
      await withWaitingBudget(2.9, async () => {
        await expect(wait()).rejects.toThrow(/no answer within/);
        await expect(wait()).rejects.toThrow(/no time left/);
      });
    }
  },
);

it('a download that has no time left before its first row fails alone, also once its connection has ended (B918)', async () => {
  const uncaught: Error[] = [];
  const catchError = (error: Error) => void uncaught.push(error);
  process.on('uncaughtExceptionMonitor', catchError);
  onTestFinished(() => void process.off('uncaughtExceptionMonitor', catchError));
  const db = connect(url, { max: 1 });
  const client = await poolOf(db).connect();
  const first = withWaitingBudget(0, () => client.copy('copy (select 1) to stdout').next());
  await expect(first).rejects.toThrow(/no time left/);
  client.release();
  await db.destroy();
  await expect.poll(() => poolStateOf(db).total, { timeout: PATIENT }).toBe(0);
  expect(uncaught).toEqual([]);
});

const endOwnBackend = sql`select pg_terminate_backend(pg_backend_pid())`;

it('overlapping statements are counted once, from first to last, without what the request does after them (B501)', async () => {
  const now = vi.spyOn(performance, 'now');
  onTestFinished(() => void now.mockRestore());
  const at = (milliseconds: number) => void now.mockReturnValue(milliseconds);
  const begin = () => {
    let end = () => {};
    const ended = waitWithinBudget(0, () => new Promise<void>((resolve) => (end = resolve)));
    return () => {
      end();
      return ended;
    };
  };
  at(0);
  await withWaitingBudget(60_000, async () => {
    const endFirst = begin();
    at(100);
    const endSecond = begin();
    at(200);
    await endFirst();
    at(300);
    await endSecond();
    at(900);
    expect(remainingWaitMs(0)).toBe(59_700);
  });
});

it('each try has the rest of what the request may wait, and the pause before it counts (B968)', async () => {
  const db = connect(url);
  onTestFinished(() => db.destroy());
  const rests: number[] = [];
  const request = withWaitingBudget(PATIENT, () =>
    inTransaction(db, (trx) => {
      rests.push(remainingWaitMs(0));
      return endOwnBackend.execute(trx);
    }),
  );
  await expect(request).rejects.toThrow(/terminat/);
  const spent = rests.slice(1).map((rest, index) => (rests[index] ?? 0) - rest);
  expect(spent).toHaveLength(2);
  // A timer may fire a fraction early.
  expect(spent[0]).toBeGreaterThan(TRANSACTION_RETRY_DELAY_MS - 2);
  expect(spent[1]).toBeGreaterThan(2 * TRANSACTION_RETRY_DELAY_MS - 2);
});

nightly('who has no time left for another try is told at once why the first one failed (B968)', async () => {
  const db = connect(url);
  onTestFinished(() => db.destroy());
  let later = 0;
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + later);
  onTestFinished(() => clock.mockRestore());
  let tries = 0;
  const request = withWaitingBudget(2 * PATIENT, () =>
    inTransaction(db, async (trx) => {
      tries += 1;
      await waitWithinBudget(0, async () => (later = 2 * PATIENT - TRANSACTION_RETRY_DELAY_MS));
      // Left to itself: what counts is the request's time once it has failed.
      return withoutWaitingBudget(() => endOwnBackend.execute(trx));
    }),
  );
  await expect(request).rejects.toThrow(/terminat/);
  expect(tries).toBe(1);
});

it('a statement that waits for a lock is ended by the server, and the connection serves on (B502)', async () => {
  const impatient = connect(url, { lockTimeoutMs: 100, statementTimeoutMs: PATIENT, max: 1 });
  onTestFinished(() => impatient.destroy());
  const backend = async () => (await sql`select pg_backend_pid() as pid`.execute(impatient)).rows;
  const before = await backend();
  await direct.transaction().execute(async (trx) => {
    await sql`lock table drafts`.execute(trx);
    await expect(sql`select * from drafts`.execute(impatient)).rejects.toMatchObject({ code: '55P03' });
  });
  expect(await backend()).toEqual(before);
});

nightly('the limits of a connection are its own again after an export that had none (B500)', async () => {
  const db = connect(url, { max: 1, statementTimeoutMs: 7000 });
  onTestFinished(() => db.destroy());
  const settings = sql<{ setting: string }>`select setting from pg_settings
    where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'TimeZone') order by name`;
  const limits = async () => (await settings.execute(db)).rows;
  const before = await limits();
  expect(before.map(({ setting }) => setting)).toEqual(expect.arrayContaining(['7000']));
  for await (const _ of copyOut(db, sql`select 1`, 'Pacific/Kiritimati'));
  expect(await limits()).toEqual(before);
});

it('of statements sent at once the one that failed says why, not those that Postgres left undone after it (B1510)', async () => {
  const db = connect(url, { pipelines: true });
  onTestFinished(() => db.destroy());
  const fails = async (trx: Db) => sql`select 1 / 0 as failed`.execute(trx);
  // It hears of its failure some steps later, as an operation does.
  const operation = async (trx: Db) => [await Promise.all([fails(trx)])];
  const outcome = inTransaction(db, (trx) => {
    const both = Promise.all([operation(trx), sql`select 2 as undone`.execute(trx)]);
    // A busy process finds both answers at once.
    setImmediate(() => untilAnswered('select 2 as undone'));
    return both;
  });
  await expect(outcome).rejects.toThrow('division by zero');
});

/** Blocks this process until Postgres has answered the statement, which is the last of a transaction that failed. */
function untilAnswered(statement: string): void {
  const program = `
    import pg from 'pg';
    const client = new pg.Client({ connectionString: process.argv[1] });
    await client.connect();
    const answered = "select 1 from pg_stat_activity where state = 'idle in transaction (aborted)' and query = $1";
    while ((await client.query(answered, [process.argv[2]])).rowCount === 0);
    await client.end();`;
  execFileSync(process.execPath, ['--input-type=module', '-e', program, ownerUrl(url), statement]);
}
