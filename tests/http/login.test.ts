import { verify } from '@node-rs/argon2';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { env } from '#app/env.server.ts';
import { action as logIn } from '#app/routes/api.login.ts';
import { action, loader } from '#app/routes/login/route.tsx';
import { answerOf, keptCookies, toastAfter } from '#tests/support/answers.ts';
import { testDatabase } from '#tests/support/database.ts';
import { call, cookieOf, formRequest, getRequest, jsonRequest } from '#tests/support/requests.ts';
import { makeSchool, makeUser, PASSWORD } from '#tests/support/school.ts';

// The real thing, watched.
vi.mock('@node-rs/argon2', async (original) => {
  const argon2 = await original<typeof import('@node-rs/argon2')>();
  return { ...argon2, verify: vi.fn(argon2.verify) };
});

const { db } = await testDatabase();
const schoolId = await makeSchool(db);

let user: Member;
beforeEach(async () => {
  user = await makeUser(db, schoolId);
  vi.mocked(verify).mockClear();
});

const post = (fields: Record<string, string>, path = '/login', cookie = '') =>
  answerOf(action(call(formRequest(path, fields, cookie))));
const credentials = () => ({ username: user.username, password: PASSWORD });
const byCall = (body: unknown, headers: Record<string, string> = {}) =>
  answerOf(logIn(call(jsonRequest('POST', '/api/login', body, '', headers))));

describe('the sign-in screen', () => {
  it('B056 B057: leads to the dashboard with a welcome and a session', async () => {
    const answer = await post(credentials());
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
    expect(keptCookies(answer)).toMatch(/^flightline=/);
    expect(await toastAfter(answer)).toMatchObject({
      title: 'Login successful!',
      text: `Welcome to ${env.PRODUCT_NAME}`,
      tone: 'default',
    });
  });

  it.each([
    '/airplanes',
    '/ocr?aircraftId=7',
    '/flight-log/41/post-check',
    '/users/invitations?confirm=delete-invitation%3A3',
  ])('C29: leads back to %s', async (to) => {
    const answer = await post(credentials(), `/login?${new URLSearchParams({ to })}`);
    expect(answer.headers.get('location')).toBe(to);
  });

  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/%09/evil.example/..//..//evil.example',
    'javascript:alert(1)',
    'airplanes',
    '',
    '/login',
    '/login?to=/login',
    '/auth',
    '/logout',
    '/api/user',
    'http://localhost:3000@evil.example/',
    '/..//evil.example',
    '/.//evil.example',
    'http://',
  ])('C29: never leads elsewhere by to=%j', async (to) => {
    const answer = await post(credentials(), `/login?${new URLSearchParams({ to })}`);
    const location = answer.headers.get('location') ?? 'none';
    expect(new URL(location, 'http://localhost:3000').origin).toBe('http://localhost:3000');
    expect(location).toMatch(/^\/(?![/\\])/);
    expect(location).not.toMatch(/^\/(login|auth|logout|api)\b/);
  });

  it('B058 B059: asks for both, and tries nothing', async () => {
    const answer = await post({ username: ' ', password: '' });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        toast: null,
        result: { error: { username: ['Username is required'], password: ['Password is required'] } },
      },
    });
    expect(verify).not.toHaveBeenCalled();
  });

  it('B060 C60: says that it failed, keeps the username and never the password', async () => {
    const answer = await post({ username: user.username, password: 'wrong-password' });
    expect(answer).toMatchObject({
      status: 401,
      body: {
        toast: { title: 'Error', text: 'Invalid username or password', tone: 'destructive' },
        result: { initialValue: { username: user.username } },
      },
    });
    expect(JSON.stringify(answer.body)).not.toContain('wrong-password');
  });

  it('C26: on a shared computer the browser forgets the session when it closes', async () => {
    const session = ({ headers }: { headers: Headers }) =>
      headers.getSetCookie().find((cookie) => cookie.startsWith('flightline='));
    expect(session(await post(credentials()))).toContain('Max-Age=');
    expect(session(await post({ ...credentials(), sharedComputer: 'on' }))).not.toMatch(/Max-Age|Expires/);
  });

  it('C29: is not for those signed in', async () => {
    const answer = await answerOf(loader(call(getRequest('/login', await cookieOf(db, user)))));
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/']);
  });
});

describe('POST /api/login', () => {
  it('B242 B231 C75: answers with the user and a session cookie', async () => {
    const answer = await byCall(credentials());
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

  it('B242 C16: takes the username in any case, with spaces round it', async () => {
    const answer = await byCall({ username: ` ${user.username.toUpperCase()} `, password: PASSWORD });
    expect(answer.status).toBe(200);
  });

  it('B242 C37: a wrong password, an unknown user and a deleted one get the same words and cost the same work', async () => {
    const gone = await makeUser(db, schoolId);
    await db
      .updateTable('users')
      .set({ deleted_at: new Date(), password_hash: null })
      .where('id', '=', gone.id)
      .execute();
    const tried = [user.username, 'nobody-of-this-name', gone.username];
    for (const username of tried) {
      const answer = await byCall({ username, password: 'wrong-password' });
      expect([answer.status, answer.body]).toEqual([401, 'Invalid username or password']);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    const hashes = vi.mocked(verify).mock.calls.map(([hash]) => String(hash));
    expect(hashes).toHaveLength(tried.length);
    for (const hash of hashes) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('C37: refuses more than 1,024 characters before any work', async () => {
    expect((await byCall({ username: user.username, password: 'x'.repeat(1025) })).status).toBe(400);
    expect((await byCall({ username: 'x'.repeat(1025), password: PASSWORD })).status).toBe(400);
    expect(verify).not.toHaveBeenCalled();
    expect((await byCall({ username: user.username, password: 'x'.repeat(1024) })).status).toBe(401);
  });
});

describe('C37 guessing', () => {
  const guess = (more: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    byCall({ username: user.username, password: 'wrong-password', ...more }, headers);
  const tooMany = [429, 'Too many attempts. Please wait a few minutes.'];

  it('C37: ends after ten in a row, even with the right password, until five minutes are over', async () => {
    for (let failures = 0; failures < 10; failures += 1) expect((await guess()).status).toBe(401);
    const { status, body } = await guess({ password: PASSWORD });
    expect([status, body]).toEqual(tooMany);
    expect((await post(credentials())).status).toBe(429);
    await db
      .updateTable('login_attempts')
      .set({ expires_at: sql<Date>`now() - interval '1 second'` })
      .execute();
    expect((await guess({ password: PASSWORD })).status).toBe(200);
  });

  it('C37: counts guesses made at once', async () => {
    const statuses = (await Promise.all(Array.from({ length: 30 }, () => guess()))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    expect(verify).toHaveBeenCalledTimes(10);
  });

  it('C37: counts the name however it is written', async () => {
    const spellings = [user.username, user.username.toUpperCase(), ` ${user.username}`];
    for (let failures = 0; failures < 10; failures += 1) {
      await guess({ username: spellings[failures % spellings.length] ?? '' });
    }
    expect((await guess()).status).toBe(429);
  });

  it('C37: shuts out neither other users of the network nor the user on another one', async () => {
    for (let failures = 0; failures < 11; failures += 1) await guess({}, { 'x-client-address': '203.0.113.9' });
    const other = await makeUser(db, schoolId);
    const here = { 'x-client-address': '203.0.113.9' };
    expect((await guess({ password: PASSWORD }, here)).status).toBe(429);
    expect((await guess({ username: other.username, password: PASSWORD }, here)).status).toBe(200);
    expect((await guess({ password: PASSWORD }, { 'x-client-address': '203.0.113.10' })).status).toBe(200);
  });

  it('C37: takes the addresses of one IPv6 network for one', async () => {
    for (let host = 1; host <= 10; host += 1) await guess({}, { 'x-client-address': `2001:db8:1:2::${host}` });
    expect((await guess({}, { 'x-client-address': '2001:db8:1:2:a:b:c:d' })).status).toBe(429);
    expect((await guess({}, { 'x-client-address': '2001:db8:1:3::1' })).status).toBe(401);
    for (let host = 1; host <= 10; host += 1) await guess({}, { 'x-client-address': `2001:db8::${host}` });
    expect((await guess({}, { 'x-client-address': '2001:db8::a:b:c:d' })).status).toBe(429);
    expect((await guess({}, { 'x-client-address': '::1' })).status).toBe(401);
  });

  it('C37: begins anew after the right password', async () => {
    for (let failures = 0; failures < 9; failures += 1) await guess();
    expect((await guess({ password: PASSWORD })).status).toBe(200);
    for (let failures = 0; failures < 10; failures += 1) expect((await guess()).status).toBe(401);
  });
});
