import { loader as whoAmI } from '#app/routes/api.user.ts';
import { answerTo, call, cookieOf, formRequest, getRequest, jsonRequest, toastAfter } from '#tests/support/ask.ts';
import { makeSchool, makeUser, type Member, testDatabase } from '#tests/support/makers.ts';
import { verifyPassword } from '#app/domain/people/passwords.server.ts';
import { findUserByUsername } from '#app/domain/people/queries.server.ts';
import { beforeEach, expect, it } from 'vitest';
import { loader } from '#app/routes/users.add/route.tsx';

const { db } = await testDatabase();
const schoolId = await makeSchool(db);
const boss = await makeUser(db, schoolId, 'administrator');
const admin = await cookieOf(db, boss);
const others = [
  ['instructor', await cookieOf(db, await makeUser(db, schoolId, 'instructor'))],
  ['student', await cookieOf(db, await makeUser(db, schoolId, 'student'))],
] as const;

let typed: { username: string; email: string; password: string; role: Member['role'] };
let nth = 0;
beforeEach(() => {
  nth += 1;
  typed = { username: `Anna ${nth}`, email: `Anna.${nth}@School.example`, password: 'gull-9', role: 'student' };
});

const post = (fields: object, cookie = admin) =>
  answerTo(formRequest('/users/add', { ...fields } as Record<string, string>, cookie));
const add = (body: unknown, cookie = admin, headers = {}) =>
  answerTo(jsonRequest('POST', '/api/register', body, cookie, headers));
const usersNamed = (username: string) => db.selectFrom('users').selectAll().where('username', '=', username).execute();

it('/users/add gives administrators alone a form, and a username without control characters (B005, B096)', async () => {
  expect((await loader(call(getRequest('/users/add', admin)))).canManage).toBe(true);
  for (const [, cookie] of others) expect((await loader(call(getRequest('/users/add', cookie)))).canManage).toBe(false);
  expect((await post({ ...typed, username: `Zo\u0007e\r\n ${nth}` })).status).toBe(303);
  expect(await usersNamed(`Zo e ${nth}`)).toHaveLength(1);
  expect((await post({ ...typed, username: 'a'.repeat(101) })).status).toBe(400);
  expect((await post({ ...typed, password: 'a'.repeat(1025) })).status).toBe(400);
});

it('each invalid field of a new user has its message; all but the password is kept (B112-B115)', async () => {
  const answer = await post({ username: ' ', email: 'anna@', password: '12345', role: 'owner' });
  expect(answer).toMatchObject({
    status: 400,
    body: {
      result: {
        initialValue: { email: 'anna@', role: 'owner' },
        error: {
          username: ['Username is required'],
          email: ['Must be a valid email'],
          password: ['Password must be at least 6 characters'],
          role: ['Please select a role'],
        },
      },
    },
  });
  expect(JSON.stringify(answer.body)).not.toContain('12345');
  expect((await post({})).status).toBe(400);
  const lists = ['a@b.de, c@d.de', 'a@b.de\r\nBcc: c@d.de', '"a,b"@c.de'];
  for (const email of ['', 'a', 'a@b', 'a b@c.de', ...lists, `${'a'.repeat(250)}@b.de`])
    expect(await post({ ...typed, email }), email).toMatchObject({
      status: 400,
      body: { result: { error: { email: ['Must be a valid email'] } } },
    });
});

it('a username is taken in every school, however it is written (B323, C16)', async () => {
  await post({ ...typed, username: `Anna${nth}X` });
  const elsewhere = await cookieOf(db, await makeUser(db, await makeSchool(db), 'administrator'));
  for (const username of [`ANNA${nth}x`, ` anna${nth}X `, `ａｎｎａ${nth}x`]) {
    expect(await post({ ...typed, username, email: 'other@b.example' }, elsewhere)).toMatchObject({
      status: 409,
      body: { result: { error: { username: ['Username already exists'] } } },
    });
  }
});

it('an email is taken within its school; all that is taken is told at once (B1541, C17, C18)', async () => {
  await post(typed);
  const again = { ...typed, username: `Ben ${nth}`, email: typed.email.toUpperCase() };
  expect(await post(again)).toMatchObject({
    status: 409,
    body: { result: { error: { email: ['A user with this email already exists'] } } },
  });
  const elsewhere = await cookieOf(db, await makeUser(db, await makeSchool(db), 'administrator'));
  expect((await post(again, elsewhere)).status).toBe(303);
  expect(await usersNamed(again.username)).toMatchObject([{ email: again.email }]);
  const other = await makeUser(db, schoolId, 'student');
  const both = { username: other.username, email: typed.email };
  const told = { username: ['Username already exists'], email: ['A user with this email already exists'] };
  expect(await post({ ...typed, ...both })).toMatchObject({ status: 409, body: { result: { error: told } } });
  const text = 'Username already exists\nA user with this email already exists';
  expect(await add({ ...typed, ...both })).toMatchObject({ status: 409, body: text });
});

it('adding a user leaves the administrator signed in as themselves (B116)', async () => {
  const answer = await post(typed);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/users']);
  expect(await toastAfter(answer)).toMatchObject({ title: 'User added successfully' });
  expect(answer.headers.getSetCookie().join()).not.toMatch(/flightline=/);
  expect(await (await whoAmI(call(getRequest('/api/user', admin)))).json()).toMatchObject({ id: boss.id });
  const user = await findUserByUsername(db, typed.username);
  expect(user).toMatchObject({ email: typed.email, role: 'student', school_id: schoolId });
  expect(await verifyPassword('gull-9', user?.password_hash)).toBe(true);
});

it('POST /api/register by an administrator adds a user to their school, and sets no cookie (B249, B231, C21, C59)', async () => {
  const answer = await add({ ...typed, flightSchoolId: schoolId });
  expect(answer.status).toBe(201);
  const { username, email, role } = typed;
  expect(JSON.parse(String(answer.body))).toEqual({
    ...{ id: expect.any(Number), username, email, role, flightSchoolId: schoolId },
  });
  expect(answer.headers.getSetCookie()).toEqual([]);
});

it('POST /api/register takes the own school as text or none, no role as student, no odd body (B598, B1214, C59)', async () => {
  const { role: _role, ...withoutRole } = typed;
  const answer = await add({ ...withoutRole, flightSchoolId: '' });
  expect(answer.status).toBe(201);
  expect(JSON.parse(String(answer.body))).toMatchObject({ role: 'student' });
  const other = { username: `Ben ${nth}`, email: `Ben.${nth}@School.example` };
  expect((await add({ ...typed, ...other, flightSchoolId: String(schoolId) })).status).toBe(201);
  const odd = { username: ['a'], email: {}, password: 123456, role: null };
  for (const body of [null, [], 'x', 7, {}, { username: 'a' }, odd])
    expect(await add(body)).toMatchObject({ status: 400, body: expect.stringMatching(/\w/) });
});
