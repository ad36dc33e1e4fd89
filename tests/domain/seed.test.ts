import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { clockHoursBetween } from '#app/domain/format.server.ts';
import { findFleet } from '#app/domain/aircraft/queries.server.ts';
import { instructorHours } from '#app/domain/times/instruction.ts';
import { findDue } from '#app/domain/inspections/queries.server.ts';
import { findFlightLogs } from '#app/domain/flights/queries.server.ts';
import { findUserByUsername } from '#app/domain/people/queries.server.ts';
import { verifyPassword } from '#app/domain/people/passwords.server.ts';
import { toHundredths } from '#app/domain/reading.ts';
import { seed } from '#db/seed.ts';
import { refuseDemo } from '../../scripts/launcher/demo.ts';
import { testDatabase } from '#tests/support/database.ts';

const NOW = new Date('2026-05-12T21:30:00Z');
const NINETY_DAYS = 90 * 24 * 60 * 60 * 1000;

const { db } = await testDatabase();
await seed(db, NOW);
const school = await db.selectFrom('schools').selectAll().executeTakeFirstOrThrow();
const logs = await findFlightLogs(db, school.id);

it('the demo school has a user to sign in with for each role, none of them in flight (B029)', async () => {
  for (const [username, role] of [
    ['admin', 'administrator'],
    ['instructor', 'instructor'],
    ['student', 'student'],
  ] as const) {
    const user = await findUserByUsername(db, username);
    expect(user?.role).toBe(role);
    expect(await verifyPassword('flightline-demo', user?.password_hash)).toBe(true);
    expect(logs.filter((log) => log.user.username === username && log.status === 'in_progress')).toEqual([]);
  }
});

it('the fleet of the demo school has an aircraft of every status, and one without a reading (B085)', async () => {
  const fleet = await findFleet(db, school.id);
  expect(fleet.length).toBeGreaterThanOrEqual(6);
  expect(fleet.filter(({ status }) => status === 'maintenance')).toHaveLength(1);
  expect(fleet.filter(({ status }) => status === 'checked_out')).toHaveLength(1);
  expect(fleet.filter(({ lastHobbsTime }) => lastHobbsTime === null)).toHaveLength(1);
});

it('the demo school has one open flight and sixty of ninety days that are longer by clock than by meters (B177)', () => {
  const done = logs.filter((log) => log.status === 'completed');
  expect(done).toHaveLength(60);
  expect(logs).toHaveLength(61);
  for (const { createdAt, completedAt, startHobbsTime, endHobbsTime } of done) {
    expect(NOW.getTime() - Date.parse(createdAt)).toBeLessThan(NINETY_DAYS + NINETY_DAYS / 90);
    expect(Date.parse(completedAt ?? '')).toBeLessThan(NOW.getTime());
    expect(Number(clockHoursBetween(createdAt, completedAt ?? '')) * 100).toBeGreaterThan(
      flown(startHobbsTime, endHobbsTime),
    );
  }
});

it('in the demo school flights follow each other by readings and time, and the tachometer runs slower (B288, C06)', async () => {
  const now = NOW.toISOString();
  for (const one of logs) {
    const overlapping = logs.filter(
      ({ id, user, aircraft, createdAt, completedAt }) =>
        id !== one.id &&
        (user.id === one.user.id || aircraft.id === one.aircraft.id) &&
        createdAt < (one.completedAt ?? now) &&
        one.createdAt < (completedAt ?? now),
    );
    expect(overlapping).toEqual([]);
  }
  for (const aircraft of await findFleet(db, school.id)) {
    const own = logs.filter((log) => log.aircraft.id === aircraft.id && log.status === 'completed').toReversed();
    own.slice(1).forEach((log, index) => {
      expect(log.startHobbsTime).toBe(own[index]?.endHobbsTime);
      expect(log.startTachTime).toBe(own[index]?.endTachTime);
    });
    expect(aircraft.lastHobbsTime).toBe(own.at(-1)?.endHobbsTime ?? null);
    expect(aircraft.lastTachTime).toBe(own.at(-1)?.endTachTime ?? null);
    for (const { startHobbsTime, endHobbsTime, startTachTime, endTachTime } of own) {
      expect(flown(startTachTime, endTachTime)).toBeLessThan(flown(startHobbsTime, endHobbsTime));
    }
  }
});

it('the demo school has squawks of every state and inspections due and overdue, which stop no check-out (B668)', async () => {
  const fleet = await findFleet(db, school.id);
  const squawks = await db.selectFrom('squawks').selectAll().where('school_id', '=', school.id).execute();
  expect(squawks.map(({ state }) => state).toSorted()).toEqual(['deferred', 'fixed', 'open', 'open']);
  const notIn = (status: string | null, { aircraft_id }: { aircraft_id: number }) =>
    fleet.some((aircraft) => aircraft.id === aircraft_id && aircraft.status !== status);
  const settled = await sql`select extract(epoch from settling.created_at - squawk.created_at) / 3600 as hours
    from squawk_events as settling join squawks as squawk on squawk.id = squawk_id
    where settling.state in ('deferred', 'fixed')`.execute(db);
  expect(settled.rows, 'a day after they were reported').toEqual(Array(2).fill({ hours: '24.0000000000000000' }));
  expect(squawks.filter(({ unsafe }) => unsafe).map((squawk) => notIn('maintenance', squawk))).toEqual([false]);

  const due = await Promise.all(
    fleet.map(async ({ id, status, lastHobbsTime: hobbs, lastTachTime: tach }) => {
      const items = await findDue(db, school.id, id, { hobbs, tach, today: '2026-05-12' });
      return items.map(({ text, kind }) => ({ status, text, kind }));
    }),
  );
  expect(due.flat()).toContainEqual({ status: null, text: 'Due in 3.4 h', kind: 'due_soon' });
  expect(due.flat().filter(({ kind }) => kind === 'overdue')).toMatchObject([{ status: 'maintenance' }]);
  const overdue = db.selectFrom('inspections').select('overdue_mailed_at as mailed').where('due_on', '<', '2026-05-12');
  expect(await overdue.execute(), 'nobody is mailed of a demonstration').toEqual([{ mailed: NOW }]);
});

it("no instructor's hours of the demo school exceed flight and ground school, and it moves in once (B655)", async () => {
  await expect(seed(db, NOW)).rejects.toThrow('the demo school goes only into an empty one');
  const instructed = logs.filter(({ instructorTimeIn }) => instructorTimeIn !== null);
  expect(instructed.length).toBeGreaterThan(10);
  for (const { instructorTimeIn, instructorTimeOut, hobbsHours, groundSchoolTime } of instructed) {
    const total = toHundredths(instructorHours(instructorTimeIn, instructorTimeOut) ?? '99');
    expect(total).toBeLessThanOrEqual(toHundredths(hobbsHours ?? '0') + toHundredths(groundSchoolTime));
  }
});

/** Hundredths of an hour. */
function flown(start: string, end: string | null): number {
  return toHundredths(end ?? '') - toHundredths(start);
}

it('the demo school moves in where nobody else reaches it, or somebody says so (B1238)', () => {
  for (const address of ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000', undefined])
    expect(refuseDemo(address, []), address).toBeUndefined();
  for (const address of ['https://flights.example.org', 'http://192.168.1.20:3000'])
    expect(refuseDemo(address, []), address).toBeDefined();
  expect(refuseDemo('https://flights.example.org', ['--demo-on-public-address'])).toBeUndefined();
});
