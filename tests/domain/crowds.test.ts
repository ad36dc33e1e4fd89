import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '#app/domain/app-error.ts';
import { setAircraftStatus } from '#app/domain/aircraft/change-aircraft.server.ts';
import { lockAircraft } from '#app/domain/aircraft/queries.server.ts';
import { startFlight } from '#app/domain/flights/start-flight.server.ts';
import { connect, type Db } from '#db/connect.server.ts';
import { withWaitingBudget } from '#db/waiting-budget.ts';
import { LONG_TIMEOUTS, testDatabase } from '#tests/support/database.ts';
import { countWaiting } from '#tests/support/faults.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { takesAll } from '#tests/support/takes-all.ts';

const { db, url } = await testDatabase();
const CROWD = takesAll ? 300 : 60;
const readings = { startHobbsTime: '100.0', startTachTime: '90.0' };

let schoolId: number;
let aircraftId: number;
let queries: number;
/** A pool that counts its statements. */
let counted: Db;
beforeEach(async () => {
  schoolId = await makeSchool(db);
  aircraftId = await makeAircraft(db, schoolId);
  queries = 0;
  counted = connect(url, { ...LONG_TIMEOUTS, max: 4, log: () => void (queries += 1) });
  onTestFinished(() => counted.destroy());
});

describe('a crowd that checks out one aircraft', () => {
  it('of many check-outs of one aircraft at once one succeeds, the others are refused without a query each (B508)', async () => {
    const pilots = await Promise.all(Array.from({ length: CROWD }, () => makeUser(db, schoolId)));
    const start = (pilot: (typeof pilots)[number]) => startFlight(counted, pilot, { aircraftId, ...readings });
    const outcomes = await Promise.allSettled(pilots.map(start));
    const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refusals).toHaveLength(CROWD - 1);
    for (const refusal of refusals)
      expect(refusal).toMatchObject({ code: 'conflict', message: 'This aircraft is already checked out.' });
    expect(queries).toBeLessThan(50);
  });

  it('a check-out sent 20 times at once with one key is answered 20 times with the one flight (B508)', async () => {
    const pilot = await makeUser(db, schoolId);
    const start = () => startFlight(counted, pilot, { aircraftId, ...readings }, 'pressed often');
    const ids = (await Promise.all(Array.from({ length: 20 }, start))).map(({ id }) => id);
    expect(new Set(ids).size).toBe(1);
  });

  it('somebody of another school who asks for the aircraft meanwhile is told that there is none (B508)', async () => {
    const pilots = await Promise.all(Array.from({ length: 5 }, () => makeUser(db, schoolId)));
    const stranger = await makeUser(db, await makeSchool(db));
    const starts = [...pilots, stranger].map((pilot) => startFlight(counted, pilot, { aircraftId, ...readings }));
    const last = (await Promise.allSettled(starts)).at(-1);
    expect(last).toMatchObject({ status: 'rejected', reason: { code: 'notFound' } });
  });

  it('a check-out that fails for its pilot alone lets the next one have the aircraft (B508)', async () => {
    const [busy, next] = [await makeUser(db, schoolId), await makeUser(db, schoolId)];
    await startFlight(db, busy, { aircraftId: await makeAircraft(db, schoolId), ...readings });
    const starts = [busy, next].map((pilot) => startFlight(counted, pilot, { aircraftId, ...readings }));
    expect((await Promise.allSettled(starts)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });
});

describe('an aircraft that something has locked', () => {
  it('changes of a locked aircraft hold one connection; the others are told that somebody else is changing it (B509)', async () => {
    const admin = await makeUser(db, schoolId, 'administrator');
    const change = () =>
      withWaitingBudget(1500, () => setAircraftStatus(counted, admin, aircraftId, { status: 'maintenance' }));
    await db.transaction().execute(async (trx) => {
      await lockAircraft(trx, schoolId, aircraftId);
      const changes = Array.from({ length: 10 }, () => change().catch((error: unknown) => error));
      await expect.poll(() => countWaiting(db), { timeout: 120_000 }).toBe(1);
      const errors = await Promise.all(changes);
      const refusals = errors.filter((error) => error instanceof AppError && error.code === 'unavailable');
      expect(refusals.length).toBeGreaterThanOrEqual(8);
      expect(refusals[0]).toMatchObject({
        message: 'Somebody else is changing this at the moment. Please try again in a moment.',
        retryAfterSeconds: 1,
      });
    });
    expect(await setAircraftStatus(counted, admin, aircraftId, { status: 'maintenance' })).toMatchObject({
      status: 'maintenance',
    });
  });
});
