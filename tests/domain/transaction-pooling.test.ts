import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { connect, type Db } from '#db/connect.server.ts';
import { migrateToLatest, findPendingMigrations } from '#db/migrate.ts';
import { startFlight } from '#app/domain/flights/start-flight.server.ts';
import { exportFlightLogs } from '#app/domain/flights/exported/export-flight-logs.server.ts';
import { emptyDatabase, testDatabase } from '#tests/support/database.ts';
import { PostgresProxy } from '#tests/support/postgres-proxy.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { TransactionPooler } from '#tests/support/transaction-pooler.ts';
import { nightly } from '#tests/support/takes-all.ts';
import { ownerUrl } from '#tests/support/database-url.ts';

const { url } = await testDatabase();
const PATIENT = { poolWaitMs: 120_000, statementTimeoutMs: 120_000, lockTimeoutMs: 60_000 };

async function pooled(databaseUrl: string): Promise<Db> {
  const pooler = await TransactionPooler.start(databaseUrl);
  const db = connect(pooler.url, PATIENT);
  onTestFinished(async () => {
    await db.destroy();
    await pooler.close();
  });
  return db;
}

const settingOf = async (db: Db, name: string) =>
  (await sql<{ value: string }>`select current_setting(${name}) as value`.execute(db)).rows[0]?.value;

it('connections start with parameters alone that PgBouncer takes as it comes (B511)', async () => {
  const proxy = await PostgresProxy.start(url);
  const db = connect(proxy.url, PATIENT);
  onTestFinished(async () => {
    await db.destroy();
    await proxy.close();
  });
  await sql`select 1`.execute(db);
  expect([...proxy.startupParameters].toSorted()).toEqual(['application_name', 'client_encoding', 'database', 'user']);
  expect(await settingOf(db, 'lock_timeout')).toBe('1min');
});

it('behind a pooler of transactions each transaction has the time-outs, and shared sessions do not change (B511)', async () => {
  const db = await pooled(url);
  await db.transaction().execute(async (trx) => {
    expect(await settingOf(trx, 'lock_timeout')).toBe('1min');
    expect(await settingOf(trx, 'statement_timeout')).toBe('2min');
    expect(await settingOf(trx, 'idle_in_transaction_session_timeout')).toBe('10s');
  });
  for (let session = 0; session < 3; session += 1) {
    expect(await settingOf(db, 'lock_timeout')).toBe('0');
    expect(await settingOf(db, 'statement_timeout')).toBe('0');
  }
});

it('behind a pooler of transactions an aircraft is checked out, and the flights are exported (B511)', async () => {
  const db = await pooled(url);
  const schoolId = await makeSchool(db);
  const pilot = await makeUser(db, schoolId);
  const aircraftId = await makeAircraft(db, schoolId);
  const { id } = await startFlight(db, pilot, { aircraftId, startHobbsTime: '100.0', startTachTime: '90.0' }, 'key');
  const lines = [];
  for await (const chunk of exportFlightLogs(db, pilot, {})) lines.push(...Buffer.from(chunk).toString().split('\n'));
  expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual([String(id), '']);
});

nightly('two migrations at once behind a pooler of transactions migrate once (B511)', async () => {
  const { url: empty } = await emptyDatabase();
  const db = await pooled(ownerUrl(empty));
  const names = (await Promise.all([migrateToLatest(db), migrateToLatest(db)])).flat();
  expect(new Set(names).size).toBe(names.length);
  expect(await findPendingMigrations(db)).toEqual([]);
});
