import { expect, it } from 'vitest';
import type { Role } from '#db/roles.ts';
import { makeAircraft, makeFlight, makeSchool, makeUser, type Member, testDatabase } from '#tests/support/makers.ts';
import { call, cookieOf, getRequest } from '#tests/support/requests.ts';
import { loader } from '#app/routes/_index/route.tsx';
import { noonZone } from '#tests/support/noon-zone.ts';

const ACTIVE = 'You have an active flight in progress. Please complete your current flight before starting a new one.';
const { db } = await testDatabase();

async function dashboardFor(user: { id: number }) {
  const { dashboard } = await loader(call(getRequest('/', await cookieOf(db, user))));
  if (!dashboard) throw new Error('signed out');
  return dashboard;
}

const takeOff = async (schoolId: number, pilot: Member, tail_number: string) =>
  makeFlight(db, pilot, await makeAircraft(db, schoolId, { tail_number }));

it('the dashboard is the welcome alone signed out, and empty without a school (B024, B045, C36)', async () => {
  expect(await loader(call(getRequest('/')))).toEqual({ dashboard: null });
  const schoolId = await makeSchool(db);
  await takeOff(schoolId, await makeUser(db, schoolId), 'N1ELSE');
  const user = await makeUser(db, schoolId, 'administrator');
  await db.updateTable('users').set({ school_id: null }).where('id', '=', user.id).execute();
  expect(await dashboardFor(user)).toMatchObject({ school: null, inFlight: null, openFlights: [] });
});

it.each(['administrator', 'instructor', 'student'] satisfies Role[])(
  'the dashboard of a %s without an open flight invites to check out (B027, B033, B034, B035, B044, B279)',
  async (role) => {
    const schoolId = await makeSchool(db, { time_zone: 'America/Los_Angeles' });
    const user = await makeUser(db, schoolId, role);
    const dashboard = await dashboardFor(user);
    const seesAll = role === 'administrator';
    expect(dashboard).toMatchObject({ username: user.username, role, inFlight: null, openFlights: [], seesAll });
    expect(dashboard.school).toMatchObject({
      name: 'Cascade Flight School',
      address: '1 Field Road',
      phone: '555 0100',
    });
  },
);

it('administrators see all open flights and whose they are, the long ones first (B035, B040, B043, B273, B659)', async () => {
  const schoolId = await makeSchool(db, { time_zone: 'America/Los_Angeles' });
  const administrator = await makeUser(db, schoolId, 'administrator');
  const student = await makeUser(db, schoolId, 'student');
  const other = await makeSchool(db);
  await takeOff(other, await makeUser(db, other), 'N0ELSE');
  await takeOff(schoolId, student, 'N1STU');
  expect((await dashboardFor(administrator)).inFlight).toBeNull();
  await takeOff(schoolId, administrator, 'N2ADM');
  const dashboard = await dashboardFor(administrator);
  expect(dashboard.inFlight).toBe(ACTIVE);
  expect(dashboard.openFlights).toMatchObject([
    { tailNumber: 'N2ADM', pilot: administrator.username, isOwn: true },
    { tailNumber: 'N1STU', pilot: student.username, isOwn: false },
  ]);
  expect(dashboard.openFlights[0]?.started.text).toMatch(/^\d+ \w{3} \d{4}, \d\d:\d\d P[DS]T$/);
  const busy = await makeSchool(db, { time_zone: noonZone() });
  const boss = await makeUser(db, busy, 'administrator');
  for (const [tailNumber, hours] of [
    ['N1', 30],
    ['N2', 4.1],
    ['N3', 3.9],
    ['N4', 1],
  ] as const) {
    const aircraft = await makeAircraft(db, busy, { tail_number: tailNumber });
    const created_at = new Date(Date.now() - hours * 60 * 60_000);
    await makeFlight(db, await makeUser(db, busy), aircraft, { created_at });
  }
  const { openFlights } = await dashboardFor(boss);
  expect(openFlights.map(({ tailNumber, hoursOpen }) => [tailNumber, hoursOpen])).toEqual([
    ['N1', '30.0'],
    ['N2', '4.1'],
    ['N4', null],
    ['N3', null],
  ]);
});

it.each(['instructor', 'student'] satisfies Role[])(
  'the dashboard shows a %s their own open flight and no other (B031, B036, B037, B040, B274)',
  async (role) => {
    const schoolId = await makeSchool(db);
    const user = await makeUser(db, schoolId, role);
    await takeOff(schoolId, await makeUser(db, schoolId), 'N1ELSE');
    expect(await dashboardFor(user)).toMatchObject({ inFlight: null, openFlights: [] });
    const id = await takeOff(schoolId, user, 'N2OWN');
    expect(await dashboardFor(user)).toMatchObject({
      inFlight: ACTIVE,
      openFlights: [{ id, tailNumber: 'N2OWN', makeAndModel: 'Cessna 172S', pilot: null, isOwn: true }],
    });
  },
);
