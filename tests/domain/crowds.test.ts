import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { AppError } from '#app/domain/app-error.ts';
import { setAircraftStatus } from '#app/domain/aircraft/change-aircraft.server.ts';
import { lockAircraft } from '#app/domain/aircraft/queries.server.ts';
import { startFlight } from '#app/domain/flights/start-flight.server.ts';
import { changeUser } from '#app/domain/people/change-user.server.ts';
import { lockSchool } from '#app/domain/school/queries.server.ts';
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

it('of many check-outs of one aircraft at once one succeeds, the others are refused without a query each (B508)', async () => {
  const pilots = await Promise.all(Array.from({ length: CROWD }, () => makeUser(db, schoolId)));
  const start = (pilot: (typeof pilots)[number]) => startFlight(counted, pilot, { aircraftId, ...readings });
  const outcomes = await Promise.allSettled(pilots.map(start));
  const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  expect(refusals).toHaveLength(CROWD - 1);
  const told = { code: 'conflict', message: 'This aircraft is already checked out.' };
  for (const refusal of refusals) expect(refusal).toMatchObject(told);
  expect(queries).toBeLessThan(50);
});

it('in a crowd a stranger is told that there is none, and one who fails alone lets the next have it (B508)', async () => {
  const [stranger, busy, next] = [
    await makeUser(db, await makeSchool(db)),
    await makeUser(db, schoolId),
    await makeUser(db, schoolId),
  ];
  await startFlight(db, busy, { aircraftId: await makeAircraft(db, schoolId), ...readings });
  const crowd = [busy, next, await makeUser(db, schoolId), stranger];
  const starts = crowd.map((pilot) => startFlight(counted, pilot, { aircraftId, ...readings }));
  const outcomes = await Promise.allSettled(starts);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'rejected']);
  expect(outcomes.at(-1)).toMatchObject({ reason: { code: 'notFound' } });
});

it('operations of a school that wait for its lock hold five connections, and another school goes on (B1716)', async () => {
  const admin = await makeUser(db, schoolId, 'administrator');
  const elsewhere = await makeSchool(db);
  const [pilot, free] = [await makeUser(db, elsewhere), await makeAircraft(db, elsewhere)];
  const pool = connect(url, { ...LONG_TIMEOUTS, max: 6 });
  onTestFinished(() => pool.destroy());
  const changes: Promise<unknown>[] = [];
  await db.transaction().execute(async (trx) => {
    await lockSchool(trx, schoolId);
    for (const name of ['Ana', 'Ben', 'Cai', 'Dee', 'Eva', 'Fay', 'Gus', 'Hal'])
      changes.push(changeUser(pool, admin, admin.id, { name }));
    await expect.poll(() => countWaiting(db)).toBe(5);
    await startFlight(pool, pilot, { aircraftId: free, ...readings });
  });
  await Promise.all(changes);
});

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
