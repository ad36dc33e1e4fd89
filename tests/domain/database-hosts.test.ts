import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { connect, type Db } from '#db/connect.server.ts';
import { splitHosts } from '#db/hosts.ts';
import { inTransaction } from '#db/transaction.ts';
import { findSessionActor } from '#app/domain/people/sessions.server.ts';
import { readSettings } from '#app/settings.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { PostgresProxy } from '#tests/support/postgres-proxy.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';
import { nightly } from '#tests/support/takes-all.ts';

const { db: direct, url } = await testDatabase();
const STANDBY = { startupParameters: { default_transaction_read_only: 'on' } };

/** One address for all these hosts. */
function addressOf(...hosts: PostgresProxy[]): string {
  const [first = ''] = hosts.map((host) => host.url);
  const ports = hosts.map((host) => new URL(host.url).host);
  return first.replace(new URL(first).host, ports.join(','));
}

function opened(address: string): Db {
  const db = connect(address, { poolWaitMs: 120_000, statementTimeoutMs: 120_000, lockTimeoutMs: 120_000 });
  onTestFinished(() => db.destroy());
  return db;
}

async function host(options = {}): Promise<PostgresProxy> {
  const proxy = await PostgresProxy.start(url, options);
  onTestFinished(() => proxy.close());
  return proxy;
}

const addSchool = (db: Db) =>
  inTransaction(db, (trx) => sql`insert into schools (name) values ('Cascade')`.execute(trx));

it('DATABASE_URL may name several hosts with their ports, or a user at a socket without one (B510)', async () => {
  const DATABASE_URL = 'postgres://user:secret@a:1,b:2,[::1]:3/flightline?sslmode=disable';
  expect(readSettings({ DATABASE_URL, SESSION_SECRET: 'x'.repeat(32) }).DATABASE_URL).toBe(DATABASE_URL);
  const hosts = ['a:1', 'b:2', '[::1]:3'];
  expect(splitHosts(DATABASE_URL)).toEqual(
    hosts.map((at) => `postgres://user:secret@${at}/flightline?sslmode=disable`),
  );
  for (const wrong of ['postgres://a:1,b:port/x', 'mysql://a,b/x', 'a,b'])
    expect(() => readSettings({ DATABASE_URL: wrong, SESSION_SECRET: 'x'.repeat(32) })).toThrow('DATABASE_URL');
  // As psql takes it.
  const { hostname, port, pathname, username, password, searchParams } = new URL(url);
  const options = new URLSearchParams({ host: searchParams.get('host') ?? hostname, ...(port && { port }) });
  const atSocket = `postgres://${username}${password && `:${password}`}@${pathname}?${options}`;
  expect(readSettings({ DATABASE_URL: atSocket, SESSION_SECRET: 'x'.repeat(32) }).DATABASE_URL).toBe(atSocket);
  await addSchool(opened(atSocket));
});

it('hosts that take no writes, or none at all, are passed over (B510)', async () => {
  const [gone, standby, primary] = [await host(), await host(STANDBY), await host()];
  const db = opened(addressOf(gone, standby, primary));
  await gone.close();
  await addSchool(db);
  expect(primary.connections).toBe(1);
  await expect.poll(() => standby.connections, { timeout: 120_000 }).toBe(0);
});

nightly('a host that says nothing is passed over (B510)', async () => {
  const [silent, primary] = [await host(), await host()];
  silent.pause();
  const db = opened(addressOf(silent, primary));
  await addSchool(db);
  expect(primary.connections).toBe(1);
});

it('a transaction whose host became read-only is done on the host that takes writes now (B510)', async () => {
  const [first, second] = [await host(), await host()];
  const db = opened(addressOf(first, second));
  await addSchool(db);
  expect([first.connections, second.connections]).toEqual([1, 0]);
  // What the first does to its sessions when it is demoted.
  await sql`set session characteristics as transaction read only`.execute(db);
  await first.close();
  await addSchool(db);
  expect(second.connections).toBe(1);
});

nightly('while every host is read-only a write fails with 25006 (B510)', async () => {
  const db = opened(addressOf(await host(STANDBY), await host(STANDBY)));
  await expect(addSchool(db)).rejects.toMatchObject({ code: '25006' });
});

it('while nothing can be saved a session that is due to be renewed still reads (B503)', async () => {
  const schoolId = await makeSchool(direct);
  const user = await makeUser(direct, schoolId);
  await cookieOf(direct, user);
  await sql`update sessions set seen_at = now() - interval '1 day', renewed_at = now() - interval '1 day'`.execute(
    direct,
  );
  const { id } = await direct.selectFrom('sessions').select('id').executeTakeFirstOrThrow();
  const db = opened((await host(STANDBY)).url);
  expect(await findSessionActor(db, id)).toMatchObject({ id: user.id });
});

it('a connection that became read-only is not handed out again (B510)', async () => {
  const proxy = await host();
  const db = opened(proxy.url);
  await sql`set session characteristics as transaction read only`.execute(db);
  await addSchool(db);
  expect(await makeSchool(direct)).toBeGreaterThan(0);
});
