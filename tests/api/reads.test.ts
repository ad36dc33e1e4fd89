import { describe, expect, it } from 'vitest';
import * as aircraft from '#app/routes/api.aircraft._index.ts';
import * as flightSchool from '#app/routes/api.flight-school.ts';
import * as user from '#app/routes/api.user.ts';
import * as users from '#app/routes/api.users._index.ts';
import { ROLES } from '#db/roles.ts';
import { answerOf, call, cookieOf, cookiesOf, getRequest } from '#tests/support/ask.ts';
import { makeAircraft, makeFlight, makeSchool, makeUser, testDatabase } from '#tests/support/makers.ts';

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

async function get(
  route: { loader: (args: ReturnType<typeof call>) => unknown },
  path: string,
  as: keyof typeof cookies,
) {
  const answer = await answerOf(route.loader(call(getRequest(path, cookies[as]))));
  return { ...answer, json: answer.status === 200 ? JSON.parse(String(answer.body)) : undefined };
}

describe('GET /api/user and GET /api/flight-school', () => {
  it('answer each role with the own account and school, without a password or hash (B231, B232, B240, B244, C75)', async () => {
    for (const role of ROLES) {
      const { id, username, email } = people[role];
      const answer = await get(user, '/api/user', role);
      expect(answer.json).toEqual({ id, username, email, role, flightSchoolId: schoolId });
      const school = { name: 'Cascade Flight School', address: '1 Field Road', phone: '555 0100' };
      expect((await get(flightSchool, '/api/flight-school', role)).json).toMatchObject(school);
    }
  });

  it('are null or 404 without a school, 401 signed out, and answer HEAD as GET (B240, B241, B244, C36)', async () => {
    expect((await get(user, '/api/user', 'adrift')).json).toMatchObject({ id: adrift.id, flightSchoolId: null });
    const none = await get(flightSchool, '/api/flight-school', 'adrift');
    expect([none.status, none.body]).toEqual([404, 'No flight school assigned']);
    const answer = await answerOf(user.loader(call(getRequest('/api/user'))));
    expect([answer.status, answer.body]).toEqual([401, 'Unauthorized']);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const head = new Request(getRequest('/api/user', cookies.student), { method: 'HEAD' });
    expect((await answerOf(user.loader(call(head)))).status).toBe(200);
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

  it('answers each role with the fleet of its school, 403 for another, 400 for none (B233, B250, B598, C20)', async () => {
    const expected = [
      { ...plain, id: free, tailNumber: 'N1', lastHobbsTime: '1234.50', lastTachTime: '1180.3', status: null },
      { ...plain, id: out, tailNumber: 'N2', status: 'checked_out' },
      { ...plain, id: grounded, tailNumber: 'N3', status: 'maintenance' },
    ];
    for (const role of ROLES)
      for (const query of ['', '?flightSchoolId=', `?flightSchoolId=${schoolId}`]) {
        const { json } = await get(aircraft, `/api/aircraft${query}`, role);
        expect([query, json]).toMatchObject([query, expected]);
        expect(json).toHaveLength(3);
      }
    const fleetOf = async (query: string) => {
      const { status, body } = await get(aircraft, `/api/aircraft?${query}`, 'administrator');
      return [status, body];
    };
    const beside = `${schoolId}&flightSchoolId=${otherSchoolId}`;
    for (const named of [otherSchoolId, 2_147_483_647, beside])
      expect(await fleetOf(`flightSchoolId=${named}`)).toEqual([403, 'Forbidden']);
    const numbers = ['0', '-1', '1.5', '1e3', '2147483648', '99999999999999999999', '%EF%BC%91'];
    for (const junk of [...numbers, 'abc', '1%00', "1'--"])
      expect(await fleetOf(`flightSchoolId=${junk}`), junk).toEqual([400, 'Invalid flight school']);
  });
});

describe('GET /api/users', () => {
  const shown = (role: keyof typeof people) => ({
    ...{ id: people[role].id, username: people[role].username, email: people[role].email, role },
  });
  const list = async (query: string, as: keyof typeof cookies = 'administrator') =>
    (await get(users, `/api/users${query}`, as)).json;

  it('answers each role with the users of the school by name, or of named roles (B231, B255, B256, B598, C34)', async () => {
    const all = [shown('student'), shown('instructor'), shown('administrator')];
    for (const as of ROLES) expect(await list('', as)).toEqual(all);
    expect(await list('?role=')).toEqual(all);
    expect(await list('?role=instructor,administrator')).toEqual(all.slice(1));
    expect(await list('?role=instructor%2C%20administrator')).toHaveLength(2);
    expect(await list('?role=student')).toEqual([shown('student')]);
    expect(await list('?role=student&role=instructor')).toHaveLength(2);
    expect(await list('?role=student,student')).toEqual([shown('student')]);
  });

  it('is 400 for none of the three roles; lists no user of another school, no deleted one (B256, B307, C20, C34)', async () => {
    for (const junk of ['pilot', 'Instructor', 'instructor,', 'instructor;student', 'instructor,pilot', '%00', "'"]) {
      const answer = await get(users, `/api/users?role=${junk}`, 'student');
      expect([junk, answer.status, answer.body]).toEqual([junk, 400, 'Invalid role']);
    }
    const gone = await makeUser(db, schoolId, 'instructor');
    await db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', gone.id).execute();
    expect(await list('?role=instructor')).toEqual([shown('instructor')]);
    expect(JSON.stringify(await list(''))).not.toContain(foreignUser.username);
  });
});
