import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Db, Trx } from '#db/connect.server.ts';
import { inTransaction } from '#db/transaction.ts';
import type { Member } from '#app/domain/actor.ts';
import { db as pagePool } from '#app/server/db.server.ts';
import { setAircraftStatus } from '#app/domain/aircraft/change-aircraft.server.ts';
import { cancelCheckOut } from '#app/domain/flights/cancel-check-out.server.ts';
import { closeFlight, completeFlight } from '#app/domain/flights/end-flight.server.ts';
import { correctFlight, previewCorrection } from '#app/domain/flights/correction/correct-flight.server.ts';
import { startFlight } from '#app/domain/flights/start-flight.server.ts';
import { exportDb as exportPool } from '#app/server/api/exports.server.ts';
import { importDb as importPool } from '#app/server/jobs/import-jobs.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { whileOpen } from '#tests/support/faults.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();

let schoolId: number;
let admin: Member;
let pilot: Member;
let aircraftId: number;
let id: number;
beforeEach(async () => {
  schoolId = await makeSchool(db);
  admin = await makeUser(db, schoolId, 'administrator');
  pilot = await makeUser(db, schoolId);
  aircraftId = await makeAircraft(db, schoolId);
  id = await makeFlight(db, pilot, aircraftId);
});

const ends = { endHobbsTime: '101.2', endTachTime: '91.0' };
const reason = 'Fog';

const complete = (trx: Trx) =>
  sql`update flight_logs set end_hobbs = 101, end_tach = 91, completed_at = now(), completed_by = user_id where id = ${id}`.execute(
    trx,
  );
const cancel = (trx: Trx) =>
  sql`update flight_logs set voided_at = now(), voided_by = user_id, void_reason = 'Fog' where id = ${id}`.execute(trx);
const completed = { code: 'conflict', message: 'This flight has already been completed.' };
const cancelled = { code: 'conflict', message: 'This check-out was cancelled.' };

describe('what finds a flight changed by somebody else while it waited', () => {
  it('a cancellation is refused once the flight is completed (B286, C09)', async () => {
    await expect(whileOpen(db, complete, () => cancelCheckOut(db, pilot, id, { reason }))).rejects.toMatchObject(
      completed,
    );
  });

  it('a close on behalf is refused once the pilot has completed the flight (B286, C08)', async () => {
    await expect(whileOpen(db, complete, () => closeFlight(db, admin, id, { ...ends, reason }))).rejects.toMatchObject(
      completed,
    );
    const row = await db.selectFrom('flight_logs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ end_hobbs: '101', completed_by: pilot.id, close_reason: null });
  });

  it('a completion with other readings is refused once the flight is completed (B318, C08)', async () => {
    await expect(whileOpen(db, complete, () => completeFlight(db, pilot, id, ends))).rejects.toMatchObject(completed);
  });

  it('a completion is refused once the check-out is cancelled (B286, C09)', async () => {
    await expect(whileOpen(db, cancel, () => completeFlight(db, pilot, id, ends))).rejects.toMatchObject(cancelled);
  });

  it('a correction is refused once another one has changed what it was made from (C10)', async () => {
    await completeFlight(db, pilot, id, ends);
    const wanted = {
      startHobbsTime: '100.0',
      startTachTime: '90.0',
      endHobbsTime: '101.4',
      endTachTime: '91.0',
      reason,
    };
    const { digest } = await previewCorrection(db, admin, id, wanted);
    const other = (trx: Trx) => sql`update flight_logs set end_hobbs = 101.3 where id = ${id}`.execute(trx);
    await expect(
      whileOpen(db, other, () =>
        correctFlight(db, admin, id, wanted, undefined, { isConfirmed: true, previewDigest: digest }),
      ),
    ).rejects.toMatchObject({
      code: 'conflict',
      message: 'What you are about to change is not what was shown. Please look at it once more.',
    });
  });
});

describe('a start that waits for somebody else', () => {
  const readings = { startHobbsTime: '100.0', startTachTime: '90.0' };
  const start = async () => startFlight(db, await makeUser(db, schoolId), { aircraftId: free, ...readings });
  let free: number;
  beforeEach(async () => {
    free = await makeAircraft(db, schoolId);
  });

  it('a start is refused once the aircraft has been grounded (B289, B317)', async () => {
    const ground = (trx: Trx) => sql`update aircraft set maintenance_since = now() where id = ${free}`.execute(trx);
    await expect(whileOpen(db, ground, start)).rejects.toMatchObject({
      message: 'This aircraft is currently under maintenance and cannot be used for flights.',
    });
  });

  it('a start is refused once the aircraft has been deleted (C12)', async () => {
    const remove = (trx: Trx) => sql`update aircraft set deleted_at = now() where id = ${free}`.execute(trx);
    await expect(whileOpen(db, remove, start)).rejects.toMatchObject({ message: 'Aircraft not found' });
  });

  it('a start is refused once its pilot has been deleted (C13)', async () => {
    const gone = await makeUser(db, schoolId);
    const remove = (trx: Trx) =>
      sql`update users set deleted_at = now(), password_hash = null where id = ${gone.id}`.execute(trx);
    const starting = whileOpen(db, remove, () => startFlight(db, gone, { aircraftId: free, ...readings }));
    await expect(starting).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('a status is set on what the aircraft has become meanwhile (C05)', async () => {
    const ground = (trx: Trx) => sql`update aircraft set maintenance_since = now() where id = ${free}`.execute(trx);
    await whileOpen(db, ground, () => setAircraftStatus(db, admin, free, { status: 'maintenance' }));
    const audit = await db
      .selectFrom('audit_entries')
      .select('id')
      .where('school_id', '=', schoolId)
      .where('action', '!=', 'recorded rows')
      .execute();
    expect(audit).toEqual([]);
  });
});

describe('a transaction', () => {
  const rename = (trx: Trx, table: 'aircraft' | 'users', row: number) =>
    sql`update ${sql.table(table)} set created_at = now() where id = ${row}`.execute(trx);

  it('a transaction that meets another one in a deadlock is run again, and both get through (C02)', async () => {
    let met = 0;
    let both = () => {};
    const bothHold = new Promise<void>((resolve) => (both = resolve));
    const meet = () => {
      met += 1;
      if (met === 2) both();
      return bothHold;
    };
    const order = (first: 'aircraft' | 'users', second: 'aircraft' | 'users') =>
      inTransaction(db, async (trx) => {
        await rename(trx, first, first === 'aircraft' ? aircraftId : pilot.id);
        await meet();
        await rename(trx, second, second === 'aircraft' ? aircraftId : pilot.id);
      });
    await Promise.all([order('aircraft', 'users'), order('users', 'aircraft')]);
    // The one that is run again may meet the other once more.
    expect(met).toBeGreaterThanOrEqual(3);
  });

  it.each([
    ['40001', 3, 4, 'done'],
    ['40P01', 3, 4, 'done'],
    ['40001', 4, 4, 'failed'],
    ['40P01', 4, 4, 'failed'],
    ['23505', 1, 1, 'failed'],
  ])(
    'a transaction that fails with %s %i times in a row is run %i times, and is then %s (C02)',
    async (code, failures, runs, outcome) => {
      let ran = 0;
      const work = inTransaction(db, async (trx) => {
        ran += 1;
        if (ran > failures) return 'done';
        return sql.raw(`do $$ begin raise exception using errcode = '${code}'; end $$`).execute(trx);
      });
      expect(await work.catch(() => 'failed')).toBe(outcome);
      expect(ran).toBe(runs);
    },
  );
});

describe('a pool of connections', () => {
  afterEach(() => vi.useRealTimers());

  it.each<[string, number, number, Db]>([
    ['pages', 10, 3000, pagePool],
    ['exports', 6, 3000, exportPool],
  ])(
    'the pool for %s has %i connections, and who finds none free waits %i ms and no longer (C44)',
    async (_, max, patience, pool) => {
      let release = () => {};
      const gate = new Promise<void>((resolve) => (release = resolve));
      const holders: Promise<void>[] = [];
      const hold = () =>
        new Promise<void>((held) => {
          const holder = pool.connection().execute(async (connection) => {
            await sql`select 1`.execute(connection);
            held();
            await gate;
          });
          holders.push(holder);
        });
      await Promise.all(Array.from({ length: max }, hold));
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const outcome = vi.fn();
      const one = sql`select 1`.execute(pool).catch(outcome);
      await vi.advanceTimersByTimeAsync(patience - 1);
      expect(outcome).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      await one;
      expect(outcome).toHaveBeenCalledWith(
        expect.objectContaining({ message: 'timeout exceeded when trying to connect' }),
      );
      vi.useRealTimers();
      release();
      await Promise.all(holders);
    },
  );

  it.each<[string, string, string, string, Db]>([
    ['pages', '5s', '2s', '10s', pagePool],
    ['exports', '10min', '2s', '10s', exportPool],
    ['imports', '2min', '30s', '2min', importPool],
  ])(
    'the pool for %s ends statements after %s, lock waits after %s and idle transactions after %s (C44)',
    async (_, statement, lock, idle, pool) => {
      const setting = async (name: string) =>
        (await sql<Record<string, string>>`show ${sql.raw(name)}`.execute(pool)).rows[0]?.[name];
      expect(await setting('statement_timeout')).toBe(statement);
      expect(await setting('lock_timeout')).toBe(lock);
      expect(await setting('idle_in_transaction_session_timeout')).toBe(idle);
    },
  );
});
