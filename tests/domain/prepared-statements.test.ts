import { sql } from 'kysely';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connect, type ConnectOptions, type Db } from '#db/connect.server.ts';
import { inTransaction } from '#db/transaction.ts';
import { startFlight } from '#app/domain/flights/start-flight.server.ts';
import { LONG_TIMEOUTS, testDatabase } from '#tests/support/database.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { TransactionPooler } from '#tests/support/transaction-pooler.ts';
import { nightly } from '#tests/support/takes-all.ts';

const { url, db: other } = await testDatabase();

function opened(databaseUrl: string, options: ConnectOptions): Db {
  const db = connect(databaseUrl, { ...LONG_TIMEOUTS, ...options });
  onTestFinished(() => db.destroy());
  return db;
}

async function pooled(options: ConnectOptions): Promise<Db> {
  const pooler = await TransactionPooler.start(url);
  onTestFinished(() => pooler.close());
  return opened(pooler.url, options);
}

const ask = (db: Db, value: number) => sql<{ value: number }>`select ${value}::integer as value`.execute(db);
const preparedOn = async (db: Db) =>
  (await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)).rows.map(
    ({ statement }) => statement,
  );

describe('on a connection of its own', () => {
  it('a statement that comes again is prepared once, for all parameters, unless nothing is to be (B760)', async () => {
    const db = opened(url, { max: 1, prepares: 'direct' });
    const answers = [];
    for (const value of [1, 2, 3, 4, 5, 6, 7]) answers.push((await ask(db, value)).rows[0]?.value);
    expect(answers).toEqual([1, 2, 3, 4, 5, 6, 7]);
    // What has no parameters, as this question, is not.
    for (const _ of [1, 2]) expect(await preparedOn(db)).toEqual(['select $1::integer as value']);
    const never = opened(url, { max: 1, prepares: 'never' });
    for (const value of [1, 2, 3]) await ask(never, value);
    expect(await preparedOn(never)).toEqual([]);
  });

  nightly('a connection keeps 200 prepared statements at most, and serves further ones (B760)', async () => {
    const db = opened(url, { max: 1, prepares: 'direct' });
    for (let number = 0; number < 220; number += 1) {
      const statement = sql<{ value: number }>`select ${number}::integer + ${sql.lit(number)} as value`;
      for (const _ of [1, 2]) expect((await statement.execute(db)).rows[0]?.value).toBe(2 * number);
    }
    expect(await preparedOn(db)).toHaveLength(200);
  });

  it('a column that a migration adds under a prepared statement is read at once, in a transaction and outside (B762)', async () => {
    const db = opened(url, { max: 2, prepares: 'direct' });
    await sql`create table widened (id integer); grant select on widened to public`.execute(other);
    await sql`insert into widened values (1)`.execute(other);
    onTestFinished(async () => void (await sql`drop table widened`.execute(other)));
    const read = (reader: Db) => sql`select * from widened where id = ${1}`.execute(reader);
    for (const _ of [1, 2, 3]) await read(db);
    await sql`alter table widened add added integer default 7`.execute(other);
    expect((await read(db)).rows).toEqual([{ id: 1, added: 7 }]);
    for (const _ of [1, 2]) await read(db);
    await sql`alter table widened add more integer default 8`.execute(other);
    expect((await inTransaction(db, (trx) => read(trx))).rows).toEqual([{ id: 1, added: 7, more: 8 }]);
    expect((await preparedOn(db)).length).toBeGreaterThan(0);
  });
});

describe('behind a pooler of transactions that cannot carry them', () => {
  it('by default nothing is prepared (B761)', async () => {
    const db = await pooled({ prepares: 'direct' });
    for (const value of [1, 2, 3, 4]) await ask(db, value);
    for (let server = 0; server < 3; server += 1) expect(await preparedOn(db)).toEqual([]);
  });

  it('it is noticed once, and no statement fails by it, in a transaction or outside (B761)', async () => {
    const onUnprepared = vi.fn();
    const db = await pooled({ prepares: 'always', onUnprepared });
    for (let value = 0; value < 6; value += 1) {
      expect((await ask(db, value)).rows).toEqual([{ value }]);
      expect((await inTransaction(db, (trx) => ask(trx, value))).rows).toEqual([{ value }]);
    }
    expect(onUnprepared).toHaveBeenCalledOnce();
  });

  nightly('a crowd that meets it in the middle of its check-outs has each done once (B761)', async () => {
    const db = await pooled({ prepares: 'always' });
    const schoolId = await makeSchool(other);
    const flown = await Promise.all(
      Array.from({ length: 6 }, async (_, number) => {
        const pilot = await makeUser(other, schoolId);
        const aircraftId = await makeAircraft(other, schoolId);
        const input = { aircraftId, startHobbsTime: '100.0', startTachTime: '90.0' };
        return startFlight(db, pilot, input, `key ${number}`);
      }),
    );
    const stored = await other.selectFrom('flight_logs').select('id').where('school_id', '=', schoolId).execute();
    expect(stored.map(({ id }) => id).toSorted()).toEqual(flown.map(({ id }) => id).toSorted());
  });
});
