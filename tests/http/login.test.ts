import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { makeSchool, makeUser, type Member, PASSWORD, testDatabase } from '#tests/support/makers.ts';
import { cookieOf, formRequest, getRequest, jsonRequest, keptCookies, toastAfter } from '#tests/support/ask.ts';
import { answerTo } from '#tests/support/routes.ts';
import { documentAfter, nightly, textOf } from '#tests/support/pages.ts';
import { env } from '#app/env.server.ts';

const { db } = await testDatabase();
const schoolId = await makeSchool(db);

let user: Member;
beforeEach(async () => {
  user = await makeUser(db, schoolId);
});

const post = (fields: Record<string, string>, path = '/login', cookie = '') =>
  answerTo(formRequest(path, fields, cookie));
const credentials = () => ({ username: user.username, password: PASSWORD });
const byCall = (body: unknown, headers: Record<string, string> = {}) =>
  answerTo(jsonRequest('POST', '/api/login', body, '', headers));

it('signing in, however old the password is, leads to the dashboard with a welcome and a session (B056, B057)', async () => {
  await sql`update users set created_at = now() - interval '10 years' where id = ${user.id}`.execute(db);
  const answer = await post(credentials());
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
  expect(keptCookies(answer)).toMatch(/^flightline=/);
  expect(await toastAfter(answer)).toMatchObject({
    title: 'Login successful!',
    text: `Welcome to ${env.PRODUCT_NAME}`,
    tone: 'default',
  });
});

it('signing in with to= leads back there, never to another site; who is signed in is led on (C29)', async () => {
  const leadsTo = async (to: string) => {
    const answer = await post(credentials(), `/login?${new URLSearchParams({ to })}`);
    return [answer.status, answer.headers.get('location')];
  };
  const invitation = '/users/invitations?confirm=delete-invitation%3A3';
  for (const to of ['/airplanes', '/ocr?aircraftId=7', '/flight-log/41/post-check', invitation])
    expect(await leadsTo(to)).toEqual([303, to]);
  const foreign = ['//evil.example', '/\\evil.example', '/\t/evil.example', 'http://localhost:3000@evil.example/'];
  const own = ['', '/login', '/login?to=/login', '/auth', '/logout', '/api/user'];
  for (const to of [...foreign, 'https://evil.example', 'javascript:alert(1)', 'airplanes', 'http://', ...own])
    expect(await leadsTo(to), to).toEqual([303, '/']);
  const answer = await answerTo(getRequest('/login', await cookieOf(db, user)));
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/']);
});

it('a sign-in without username or password is no attempt; a failed one keeps the username alone (B058-B060, C60)', async () => {
  const attempts = () => db.selectFrom('login_attempts').selectAll().orderBy('key').execute();
  const before = await attempts();
  const answer = await post({ username: ' ', password: '' });
  expect(answer).toMatchObject({
    status: 400,
    body: {
      toast: null,
      result: { error: { username: ['Username is required'], password: ['Password is required'] } },
    },
  });
  expect(await attempts()).toEqual(before);
  const failed = await post({ username: user.username, password: 'wrong-password' });
  expect(failed).toMatchObject({
    status: 401,
    body: {
      toast: { title: 'Error', text: 'Invalid username or password', tone: 'destructive' },
      result: { initialValue: { username: user.username } },
    },
  });
  expect(JSON.stringify(failed.body)).not.toContain('wrong-password');
});

nightly('signing in on a shared computer sets a cookie that the browser forgets when it closes (C26)', async () => {
  const session = ({ headers }: { headers: Headers }) =>
    headers.getSetCookie().find((cookie) => cookie.startsWith('flightline='));
  expect(session(await post(credentials()))).toContain('Max-Age=');
  expect(session(await post({ ...credentials(), sharedComputer: 'on' }))).not.toMatch(/Max-Age|Expires/);
});

it('POST /api/login takes the username however written, and answers with user and cookie (B242, B231, C16, C75)', async () => {
  const answer = await byCall({ username: ` ${user.username.toUpperCase()} `, password: PASSWORD });
  expect(answer.status).toBe(200);
  expect(JSON.parse(String(answer.body))).toEqual({
    id: user.id,
    username: user.username,
    email: user.email,
    role: 'student',
    flightSchoolId: schoolId,
  });
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(keptCookies(answer)).toMatch(/^flightline=/);
});

const guess = (more: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  byCall({ username: user.username, password: 'wrong-password', ...more }, headers);
const tooMany = [429, 'Too many attempts. Please wait a few minutes.'];

it('after ten failed sign-ins, however written, even the right password is 429, in words that stay (C37, B1626)', async () => {
  const spellings = [user.username, user.username.toUpperCase(), ` ${user.username}`];
  const fail = async (times: number) => {
    for (let failures = 0; failures < times; failures += 1)
      expect((await guess({ username: spellings[failures % spellings.length] ?? '' })).status).toBe(401);
  };
  await fail(9);
  expect((await guess({ password: PASSWORD })).status, 'after which they are counted anew').toBe(200);
  await fail(10);
  const { status, body } = await guess({ password: PASSWORD });
  expect([status, body]).toEqual(tooMany);
  const page = await documentAfter('/login', credentials());
  const words = expect.stringContaining('Too many attempts. Please wait a few minutes.');
  const shown = [page.status, textOf(page.$('.error-summary')), page.$('#login-username').attr('value')];
  expect(shown).toEqual([429, words, user.username]);
  const over = { expires_at: sql<Date>`now() - interval '1 second'` };
  await db.updateTable('login_attempts').set(over).execute();
  expect((await guess({ password: PASSWORD })).status).toBe(200);
});

nightly('failed sign-ins lock neither other users of the network nor the user on another network (C37)', async () => {
  for (let failures = 0; failures < 11; failures += 1) await guess({}, { 'x-client-address': '203.0.113.9' });
  const other = await makeUser(db, schoolId);
  const here = { 'x-client-address': '203.0.113.9' };
  expect((await guess({ password: PASSWORD }, here)).status).toBe(429);
  expect((await guess({ username: other.username, password: PASSWORD }, here)).status).toBe(200);
  expect((await guess({ password: PASSWORD }, { 'x-client-address': '203.0.113.10' })).status).toBe(200);
});

nightly('failed sign-ins count for all addresses of one IPv6 network together (C37)', async () => {
  for (let host = 1; host <= 10; host += 1) await guess({}, { 'x-client-address': `2001:db8:1:2::${host}` });
  expect((await guess({}, { 'x-client-address': '2001:db8:1:2:a:b:c:d' })).status).toBe(429);
  expect((await guess({}, { 'x-client-address': '2001:db8:1:3::1' })).status).toBe(401);
  for (let host = 1; host <= 10; host += 1) await guess({}, { 'x-client-address': `2001:db8::${host}` });
  expect((await guess({}, { 'x-client-address': '2001:db8::a:b:c:d' })).status).toBe(429);
  expect((await guess({}, { 'x-client-address': '::1' })).status).toBe(401);
});
