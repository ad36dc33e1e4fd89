import { expect, it } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { deleteUser } from '#app/domain/people/change-user.server.ts';
import { startFlight } from '#app/domain/flights/start-flight.server.ts';
import { AppError } from '#app/domain/app-error.ts';
import { testDatabase } from '#tests/support/database.ts';
import { nightly, takesAll } from '#tests/support/takes-all.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();

async function schoolWith(administrators: number): Promise<Member[]> {
  const schoolId = await makeSchool(db);
  return Promise.all(Array.from({ length: administrators }, () => makeUser(db, schoolId, 'administrator')));
}

async function livingAdministrators(schoolId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('school_id', '=', schoolId)
    .where('role', '=', 'administrator')
    .where('deleted_at', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}

/** 'done', or the message of the error. */
const outcome = (work: Promise<object>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof AppError ? error.message : Promise.reject(error)),
  );

it('of two administrators who delete each other at once, one remains, round after round (B320, C14)', async () => {
  for (let round = 0; round < (takesAll ? 60 : 5); round += 1) {
    const [a, b] = (await schoolWith(2)) as [Member, Member];
    const outcomes = await Promise.all([outcome(deleteUser(db, a, b.id)), outcome(deleteUser(db, b, a.id))]);
    expect(outcomes.toSorted()).toEqual(['A school needs at least one administrator.', 'done']);
    expect(await livingAdministrators(a.schoolId)).toHaveLength(1);
  }
});

nightly(
  'of six administrators who delete each other at once, at least one remains, and all get an answer (B320, C14)',
  async () => {
    const all = await schoolWith(6);
    const attempts = all.flatMap((actor) =>
      all.filter(({ id }) => id !== actor.id).map(({ id }) => deleteUser(db, actor, id)),
    );
    const outcomes = await Promise.all(attempts.map(outcome));
    expect(attempts).toHaveLength(30);
    const [someone] = all;
    const left = await livingAdministrators(someone?.schoolId ?? 0);
    expect(left.length).toBeGreaterThanOrEqual(1);
    expect(outcomes.filter((one) => one === 'done')).toHaveLength(6 - left.length);
    const known = ['done', 'User not found', 'Unauthorized', 'A school needs at least one administrator.'];
    expect(outcomes.filter((one) => !known.includes(one))).toEqual([]);
  },
);

it('an administrator who has been deleted can delete nobody (C14)', async () => {
  const [a, b, c] = (await schoolWith(3)) as [Member, Member, Member];
  await deleteUser(db, a, b.id);
  expect(await outcome(deleteUser(db, b, c.id))).toBe('Unauthorized');
  expect(await livingAdministrators(a.schoolId)).toEqual(expect.arrayContaining([a.id, c.id]));
});

it('a user deleted while starting a flight is either in flight or deleted, never both (C13, B288)', async () => {
  const [boss] = (await schoolWith(1)) as [Member];
  for (let round = 0; round < (takesAll ? 25 : 5); round += 1) {
    const pilot = await makeUser(db, boss.schoolId);
    const aircraftId = await makeAircraft(db, boss.schoolId);
    const outcomes = await Promise.all([
      outcome(deleteUser(db, boss, pilot.id)),
      outcome(startFlight(db, pilot, { aircraftId, startHobbsTime: '100', startTachTime: '90' })),
    ]);
    expect(outcomes.filter((one) => one === 'done')).toHaveLength(1);
    expect(['done,Unauthorized', 'This user has an active flight in progress.,done']).toContain(outcomes.join());
  }
});
