import { describe, expect, it } from 'vitest';
import * as aircraft from '#app/routes/api.aircraft._index.ts';
import * as flightSchool from '#app/routes/api.flight-school.ts';
import * as user from '#app/routes/api.user.ts';
import * as users from '#app/routes/api.users._index.ts';
import type { Role } from '#db/roles.ts';
import { answerOf } from '#tests/support/answers.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { call, cookieOf, cookiesOf, getRequest } from '#tests/support/requests.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();
const schoolId = await makeSchool(db);
const otherSchoolId = await makeSchool(db, { name: 'Other School' });
const people = {
  administrator: await makeUser(db, schoolId, 'administrator', 'Zoe'),
  instructor: await makeUser(db, schoolId, 'instructor', 'ben'),
  student: await makeUser(db, schoolId, 'student', 'Anna'),
};
const foreignUser = await makeUser(db, otherSchoolId, 'student', 'foreigner');
const adrift = await makeUser(db, schoolId, 'administrator', 'adrift');
await db.updateTable('users').set({ school_id: null }).where('id', '=', adrift.id).execute();
const cookies = {
  ...(await cookiesOf(db, people)),
  adrift: await cookieOf(db, adrift),
};
const ROLES = ['administrator', 'instructor', 'student'] as const satisfies Role[];

async function get(
  route: { loader: (args: ReturnType<typeof call>) => unknown },
  path: string,
  as: keyof typeof cookies,
) {
  const answer = await answerOf(route.loader(call(getRequest(path, cookies[as]))));
  return { ...answer, json: answer.status === 200 ? JSON.parse(String(answer.body)) : undefined };
}

describe('GET /api/user', () => {
  it.each(ROLES)(
    'GET /api/user answers a %s with their own account, and no password or hash (B240, B231, C75)',
    async (role) => {
      const { id, username, email } = people[role];
      const answer = await get(user, '/api/user', role);
      expect(answer.json).toEqual({ id, username, email, role, flightSchoolId: schoolId });
      expect(answer.headers.get('cache-control')).toBe('no-store');
    },
  );

  it('GET /api/user answers flightSchoolId null to a user without a school (B240, C36)', async () => {
    expect((await get(user, '/api/user', 'adrift')).json).toMatchObject({ id: adrift.id, flightSchoolId: null });
  });

  it('GET /api/user signed out is 401 in plain text (B241)', async () => {
    const answer = await answerOf(user.loader(call(getRequest('/api/user'))));
    expect([answer.status, answer.body]).toEqual([401, 'Unauthorized']);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });
});

describe('GET /api/flight-school', () => {
  it.each(ROLES)('GET /api/flight-school answers a %s with their own school (B244, B232)', async (role) => {
    expect((await get(flightSchool, '/api/flight-school', role)).json).toMatchObject({
      name: 'Cascade Flight School',
      address: '1 Field Road',
      phone: '555 0100',
    });
  });

  it('GET /api/flight-school is 404 for a user without a school (B244, C36)', async () => {
    const answer = await get(flightSchool, '/api/flight-school', 'adrift');
    expect([answer.status, answer.body]).toEqual([404, 'No flight school assigned']);
  });
});

describe('GET /api/aircraft', async () => {
  const free = await makeAircraft(db, schoolId, { tail_number: 'N1', last_hobbs: '1234.50', last_tach: '1180.3' });
  const out = await makeAircraft(db, schoolId, { tail_number: 'N2' });
  const grounded = await makeAircraft(db, schoolId, { tail_number: 'N3', maintenance_since: new Date() });
  await makeAircraft(db, schoolId, { tail_number: 'N4', deleted_at: new Date() });
  await makeAircraft(db, otherSchoolId, { tail_number: 'N5' });
  await makeFlight(db, people.student, out);
  const plain = { make: 'Cessna', model: '172S', year: 2004, lastHobbsTime: null, lastTachTime: null };

  it.each(ROLES)(
    'GET /api/aircraft answers a %s with the fleet of their school, and no other (B250, B233, C20)',
    async (role) => {
      const expected = [
        { ...plain, id: free, tailNumber: 'N1', lastHobbsTime: '1234.50', lastTachTime: '1180.3', status: null },
        { ...plain, id: out, tailNumber: 'N2', status: 'checked_out' },
        { ...plain, id: grounded, tailNumber: 'N3', status: 'maintenance' },
      ];
      expect((await get(aircraft, '/api/aircraft', role)).json).toMatchObject(expected);
      expect((await get(aircraft, `/api/aircraft?flightSchoolId=${schoolId}`, role)).json).toMatchObject(expected);
    },
  );

  it.each([otherSchoolId, 2_147_483_647])(
    'GET /api/aircraft?flightSchoolId=%i, which is not their own, is 403 (B250, C20)',
    async (named) => {
      const answer = await get(aircraft, `/api/aircraft?flightSchoolId=${named}`, 'administrator');
      expect([answer.status, answer.body]).toEqual([403, 'Forbidden']);
    },
  );

  it('GET /api/aircraft with another school beside their own is 403 (C20)', async () => {
    const query = `flightSchoolId=${schoolId}&flightSchoolId=${otherSchoolId}`;
    expect((await get(aircraft, `/api/aircraft?${query}`, 'administrator')).status).toBe(403);
  });

  it.each(['0', '-1', '1.5', '1e3', 'abc', '2147483648', '99999999999999999999', '1%00', '%EF%BC%91', "1'--"])(
    'GET /api/aircraft?flightSchoolId=%s is 400 (B250)',
    async (junk) => {
      const answer = await get(aircraft, `/api/aircraft?flightSchoolId=${junk}`, 'student');
      expect([answer.status, answer.body]).toEqual([400, 'Invalid flight school']);
    },
  );

  it('an empty flightSchoolId asks for the own fleet, an empty role for all users (B598)', async () => {
    const fleet = await get(aircraft, '/api/aircraft', 'student');
    expect((await get(aircraft, '/api/aircraft?flightSchoolId=', 'student')).json).toEqual(fleet.json);
    expect((await get(users, '/api/users?role=', 'student')).json).toEqual(
      (await get(users, '/api/users', 'student')).json,
    );
  });
});

describe('GET /api/users', () => {
  const shown = (role: keyof typeof people) => ({
    id: people[role].id,
    username: people[role].username,
    email: people[role].email,
    role,
  });
  const list = async (query: string, as: keyof typeof cookies = 'administrator') =>
    (await get(users, `/api/users${query}`, as)).json;

  it.each(ROLES)(
    'GET /api/users answers a %s with the users of their school by name, and no password or hash (B255, B231, C34)',
    async (as) => {
      expect(await list('', as)).toEqual([shown('student'), shown('instructor'), shown('administrator')]);
    },
  );

  it('GET /api/users?role= answers only the roles that are named (B256)', async () => {
    expect(await list('?role=instructor,administrator')).toEqual([shown('instructor'), shown('administrator')]);
    expect(await list('?role=instructor%2C%20administrator')).toHaveLength(2);
    expect(await list('?role=student')).toEqual([shown('student')]);
    expect(await list('?role=student&role=instructor')).toHaveLength(2);
    expect(await list('?role=student,student')).toEqual([shown('student')]);
  });

  it.each(['pilot', 'Instructor', 'instructor,', 'instructor;student', 'instructor,pilot', '%00', "'"])(
    'GET /api/users?role=%s, which is none of the three roles, is 400 (B256, B307)',
    async (junk) => {
      const answer = await get(users, `/api/users?role=${junk}`, 'student');
      expect([answer.status, answer.body]).toEqual([400, 'Invalid role']);
    },
  );

  it('GET /api/users lists no user of another school, and no deleted one (C20, C34)', async () => {
    const gone = await makeUser(db, schoolId, 'instructor');
    await db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', gone.id).execute();
    const names = (await list('?role=instructor')).map(({ username }: { username: string }) => username);
    expect(names).toEqual(['ben']);
    expect(JSON.stringify(await list(''))).not.toContain(foreignUser.username);
  });
});

describe('what no call here does', () => {
  it('an API call answers HEAD as it answers GET', async () => {
    const request = new Request('http://localhost:3000/api/user', {
      method: 'HEAD',
      headers: { cookie: cookies.student },
    });
    expect((await answerOf(user.loader(call(request)))).status).toBe(200);
  });
});
