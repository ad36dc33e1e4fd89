import { sql, type Transaction } from 'kysely';
import { expect, it } from 'vitest';
import type { Db } from '#db/connect.server.ts';
import type { Database } from '#db/tables.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const FLIGHTS = 300;
const waiting = { timeout: 240_000, interval: 100 };

it(
  'an import whose server is killed twice leaves nothing, and the next server does it once (B955, C93)',
  { timeout: 600_000 },
  async () => {
    const first = await startServer({ LOG_LEVEL: 'error' });
    const { db } = first;
    const schoolId = await makeSchool(db);
    const admin = await makeUser(db, schoolId, 'administrator');
    await makeAircraft(db, schoolId, { tail_number: 'N1' });
    const countFlights = async () => (await db.selectFrom('flight_logs').select('id').execute()).length;
    await sql`create function wait_for_test() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(1, 1); return new; end $$`.execute(db);

    await sql`create trigger wait_for_test before insert on flight_logs
      for each row when (new.start_hobbs = ${sql.lit(FLIGHTS)}) execute function wait_for_test()`.execute(db);
    await killWhileWaiting(db, async () => {
      void send(first.url, await cookieOf(db, admin), flightsOf(admin.username)).catch(() => undefined);
      return first;
    });
    expect(await countFlights()).toBe(0);
    await sql`drop trigger wait_for_test on flight_logs`.execute(db);

    await sql`create trigger wait_for_test before update on imports
      for each row when (new.state = 'applied') execute function wait_for_test()`.execute(db);
    const second = await killWhileWaiting(db, () => startServer({ LOG_LEVEL: 'error' }, () => first.databaseUrl));
    expect(await countFlights()).toBe(0);
    await sql`drop trigger wait_for_test on imports`.execute(db);

    const third = await startServer({ LOG_LEVEL: 'error' }, () => first.databaseUrl);
    const stateOf = async () => (await db.selectFrom('imports').select('state').executeTakeFirst())?.state;
    await expect.poll(stateOf, waiting).toBe('applied');
    expect(await countFlights()).toBe(FLIGHTS);
    const entries = db.selectFrom('audit_entries').select('id').where('action', '=', 'imported file').execute();
    expect(await entries).toHaveLength(1);
    for (const server of [third, second, first]) await server.stop();
  },
);

/** Kills what `begin` starts once it waits in the trigger, and ends once Postgres has noticed. */
async function killWhileWaiting(db: Db, begin: () => Promise<TestServer>): Promise<TestServer> {
  const waiters = async (on: Db | Transaction<Database>) =>
    (await sql`select 1 from pg_locks where locktype = 'advisory' and classid = 1 and not granted`.execute(on)).rows
      .length;
  const begun = await db.transaction().execute(async (trx) => {
    // A busy machine takes long to start a server.
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
  return begun;
}

function flightsOf(pilot: string): string {
  const lines = Array.from({ length: FLIGHTS }, (_, at) => {
    const start = Date.UTC(2026, 0, 1) + at * 7_200_000;
    const times = [start, start + 3_600_000].map((time) => new Date(time).toISOString());
    return ['N1', pilot, ...times, at + 1, at + 2, at + 1, at + 2].join(',');
  });
  return ['Aircraft,Pilot,Started,Completed,Hobbs Start,Hobbs End,Tach Start,Tach End', ...lines].join('\n');
}

function send(url: string, cookie: string, file: string) {
  const body = new FormData();
  body.set('kind', 'flights');
  body.set('file', new File([file], 'flights.csv'));
  return fetch(`${url}/api/imports`, { method: 'POST', headers: { cookie, origin: url }, body });
}
