import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Trx } from '#db/connect.server.ts';
import { inTransaction } from '#db/transaction.ts';
import type { Member } from '#app/domain/actor.ts';
import { db as pagePool } from '#app/server/db.server.ts';
import { setAircraftStatus } from '#app/domain/aircraft/change-aircraft.server.ts';
import { cancelCheckOut } from '#app/domain/flights/cancel-check-out.server.ts';
import { closeFlight, completeFlight } from '#app/domain/flights/end-flight.server.ts';
import { correctFlight, previewCorrection } from '#app/domain/flights/correction/correct-flight.server.ts';
import { startFlight } from '#app/domain/flights/start-flight.server.ts';
import { lockAircraft } from '#app/domain/aircraft/queries.server.ts';
import { addSquawk } from '#app/domain/squawks/add-squawk.server.ts';
import { changeSquawk, fixSquawksTogether } from '#app/domain/squawks/change-squawk.server.ts';
import { exportDb as exportPool } from '#app/server/api/exports.server.ts';
import { importDb as importPool } from '#app/server/jobs/import-jobs.server.ts';
import { eventsOf } from '#tests/support/audit.ts';
import { testDatabase } from '#tests/support/database.ts';
import { countWaiting, whileOpen } from '#tests/support/faults.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { cookieOf, formRequest } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeAircraft, makeScene, makeSquawk, makeUser } from '#tests/support/school.ts';
import { insertWebhook } from '#tests/support/webhooks.ts';

const { db } = await testDatabase();

let schoolId: number;
let admin: Member;
let pilot: Member;
let aircraftId: number;
let id: number;
beforeEach(async () => {
  ({ schoolId, admin, pilot, aircraftId } = await makeScene(db));
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

it.each([
  ['a cancellation', complete, () => cancelCheckOut(db, pilot, id, { reason }), completed],
  ['a close on behalf', complete, () => closeFlight(db, admin, id, { ...ends, reason }), completed],
  ['a completion with other readings', complete, () => completeFlight(db, pilot, id, ends), completed],
  ['a completion', cancel, () => completeFlight(db, pilot, id, ends), cancelled],
])('%s is refused once the flight is completed or cancelled (B286, B318, C08, C09)', async (...row) => {
  const [, change, act, refusal] = row;
  await expect(whileOpen(db, change, act)).rejects.toMatchObject(refusal);
  const left = await db.selectFrom('flight_logs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  expect(left.end_hobbs).toBe(change === complete ? '101' : null);
  expect(left).toMatchObject({ completed_by: change === complete ? pilot.id : null, close_reason: null });
});

it('a correction is refused once another one has changed what it was made from (C10)', async () => {
  await completeFlight(db, pilot, id, ends);
  const wanted = { startHobbsTime: '100.0', startTachTime: '90.0', endHobbsTime: '101.4', endTachTime: '91.0', reason };
  const { digest } = await previewCorrection(db, admin, id, wanted);
  const other = (trx: Trx) => sql`update flight_logs set end_hobbs = 101.3 where id = ${id}`.execute(trx);
  const confirmed = { isConfirmed: true, previewDigest: digest };
  const correct = () => correctFlight(db, admin, id, wanted, undefined, confirmed);
  await expect(whileOpen(db, other, correct)).rejects.toMatchObject({
    code: 'conflict',
    message: 'What you are about to change is not what was shown. Please look at it once more.',
  });
});

const readings = { startHobbsTime: '100.0', startTachTime: '90.0' };
const change = (what: string) => (trx: Trx) => sql.raw(`update ${what}`).execute(trx);

it('a start asks for the tick of what was reported as unsafe while it waited for the check-in (B604, C84)', async () => {
  const next = await makeUser(db, schoolId);
  const fields = { aircraftId: String(aircraftId), startHobbsTime: '101.0', startTachTime: '91.0' };
  const cookie = await cookieOf(db, next);
  const checkIn = async (trx: Trx) => {
    await sql`update aircraft set last_hobbs = 101, last_tach = 91 where id = ${aircraftId}`.execute(trx);
    await complete(trx);
    await makeSquawk(trx, pilot, aircraftId, { unsafe: true });
  };
  const answer = await whileOpen(db, checkIn, () => answerTo(formRequest('/flight-log?step=2', fields, cookie)));
  const error = { unsafeRead: ['Please read what was reported as unsafe to fly and tick the box.'] };
  expect(answer).toMatchObject({ status: 400, body: { result: { error } } });
  expect(await db.selectFrom('flight_logs').select('id').where('user_id', '=', next.id).execute()).toEqual([]);
});

it('a start is refused once its aircraft has been grounded or deleted, or its pilot deleted (B289, B317, C12, C13)', async () => {
  const start = async () => startFlight(db, await makeUser(db, schoolId), { aircraftId: free, ...readings });
  const free = await makeAircraft(db, schoolId);
  const gone = await makeUser(db, schoolId);
  const remove = change(`users set deleted_at = now(), password_hash = null where id = ${gone.id}`);
  const starting = whileOpen(db, remove, () => startFlight(db, gone, { aircraftId: free, ...readings }));
  await expect(starting).rejects.toMatchObject({ code: 'unauthorized' });
  const ground = change(`aircraft set maintenance_since = now() where id = ${free}`);
  const message = 'This aircraft is currently under maintenance and cannot be used for flights.';
  await expect(whileOpen(db, ground, start)).rejects.toMatchObject({ message });
  const removal = change(`aircraft set deleted_at = now() where id = ${free}`);
  await expect(whileOpen(db, removal, start)).rejects.toMatchObject({ message: 'Aircraft not found' });
});

it('a status is set on what the aircraft has become meanwhile (C05)', async () => {
  const free = await makeAircraft(db, schoolId);
  const ground = change(`aircraft set maintenance_since = now() where id = ${free}`);
  await whileOpen(db, ground, () => setAircraftStatus(db, admin, free, { status: 'maintenance' }));
  expect(await eventsOf(db, schoolId)).toEqual([]);
});

it('who waits for an aircraft holds neither flight nor squawk, which others change once they have it (B1710)', async () => {
  await insertWebhook(db, schoolId);
  const { id: squawk } = await addSquawk(db, pilot, { aircraftId, text: 'Left brake soft' });
  const withdrawn = { state: 'withdrawn', until: undefined, remark: 'Reported twice' } as const;
  for (const [row, change] of [
    ['squawks', () => changeSquawk(db, admin, squawk, withdrawn)],
    ['squawks', () => fixSquawksTogether(db, admin, [squawk], { remark: 'New pads' })],
    ['flight_logs', () => correctFlight(db, admin, id, { startHobbsTime: '99.0', reason })],
    ['flight_logs', () => cancelCheckOut(db, pilot, id, { reason })],
    ['flight_logs', () => closeFlight(db, admin, id, { ...ends, reason })],
  ] as const) {
    let changing: Promise<unknown> = Promise.resolve();
    await db.transaction().execute(async (trx) => {
      await lockAircraft(trx, schoolId, aircraftId);
      changing = change().catch(() => {});
      await expect.poll(() => countWaiting(db)).toBe(1);
      await sql`select from ${sql.table(row)} where aircraft_id = ${aircraftId} for update nowait`.execute(trx);
    });
    await changing;
  }
});

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

it('a transaction that fails for a conflict is run four times at most, for anything else once (C02)', async () => {
  for (const [code, failures, runs, outcome] of [
    ['40001', 3, 4, 'done'],
    ['40P01', 3, 4, 'done'],
    ['40001', 4, 4, 'failed'],
    ['40P01', 4, 4, 'failed'],
    ['23505', 1, 1, 'failed'],
  ] as const) {
    let ran = 0;
    const work = inTransaction(db, async (trx) => {
      ran += 1;
      if (ran > failures) return 'done';
      return sql.raw(`do $$ begin raise exception using errcode = '${code}'; end $$`).execute(trx);
    });
    expect([code, await work.catch(() => 'failed'), ran]).toEqual([code, outcome, runs]);
  }
});

describe('a pool of connections', () => {
  afterEach(() => vi.useRealTimers());

  const patience = 3000;
  it.each([
    ['pages', 10, pagePool],
    ['exports', 6, exportPool],
  ])(
    'the pool for %s has %i connections, and who finds none free waits three seconds and no longer (C44)',
    async (_, max, pool) => {
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

  it('each pool ends statements, waits for locks and idle transactions after times of its own (C44)', async () => {
    for (const [pool, ...times] of [
      [pagePool, '5s', '2s', '10s'],
      [exportPool, '10min', '2s', '10s'],
      [importPool, '2min', '30s', '2min'],
    ] as const) {
      const { rows } =
        await sql<object>`select current_setting('statement_timeout'), current_setting('lock_timeout') as lock,
        current_setting('idle_in_transaction_session_timeout') as idle`.execute(pool);
      expect(Object.values(rows[0] ?? {})).toEqual(times);
    }
  });
});
