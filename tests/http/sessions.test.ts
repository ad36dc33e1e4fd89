import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { makeSchool, makeUser, type Member, PASSWORD, testDatabase } from '#tests/support/makers.ts';
import { answerTo, sessionCookieOf, toastAfter } from '#tests/support/ask.ts';
import { call, cookieOf, formRequest, getRequest, jsonRequest } from '#tests/support/requests.ts';
import { loader as whoAmI } from '#app/routes/api.user.ts';

const { db } = await testDatabase();
const schoolId = await makeSchool(db);

let user: Member;
beforeEach(async () => {
  user = await makeUser(db, schoolId, 'administrator');
});

const signIn = () => answerTo(jsonRequest('POST', '/api/login', { username: user.username, password: PASSWORD }));
const statusFor = async (cookie: string) => (await whoAmI(call(getRequest('/api/user', cookie)))).status;
const session = () => db.selectFrom('sessions').selectAll().where('user_id', '=', user.id).executeTakeFirstOrThrow();

it('the session cookie is HttpOnly and SameSite=Lax, its token is not stored; none is signed out (B021, C26)', async () => {
  for (const cookie of ['flightline=', 'flightline=junk', 'flightline=%E0%A4%A', 'flightline=IiI%3D.x', 'other=1']) {
    expect(await statusFor(cookie), cookie).toBe(401);
    expect(await answerTo(getRequest('/', cookie))).toMatchObject({ body: { dashboard: null } });
  }
  const cookie = (await signIn()).headers.get('set-cookie');
  expect(cookie).toMatch(/^flightline=/);
  for (const part of ['HttpOnly', 'SameSite=Lax', 'Path=/', 'Max-Age=5184000']) expect(cookie).toContain(part);
  expect(cookie).not.toContain('Secure');
  const kept = sessionCookieOf(await signIn());
  const signed = decodeURIComponent(kept.replace('flightline=', ''));
  const token: unknown = JSON.parse(Buffer.from(signed.slice(0, signed.lastIndexOf('.')), 'base64').toString());
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(JSON.stringify(await session())).not.toContain(token);
});

it('a new sign-in ends the browser’s former session, POST /api/logout its own (B022, B243, C26, C33)', async () => {
  const former = sessionCookieOf(await signIn());
  const next = await makeUser(db, schoolId);
  const credentials = { username: next.username, password: PASSWORD };
  const answer = await answerTo(jsonRequest('POST', '/api/login', credentials, former));
  const current = sessionCookieOf(answer);
  expect(current).not.toBe(former);
  expect(await statusFor(former)).toBe(401);
  expect(await (await whoAmI(call(getRequest('/api/user', current)))).json()).toMatchObject({ id: next.id });
  const [cookie, desk] = [sessionCookieOf(await signIn()), sessionCookieOf(await signIn())];
  for (const _ of [1, 2]) {
    const answer = await answerTo(jsonRequest('POST', '/api/logout', undefined, cookie));
    expect(answer).toMatchObject({ status: 200, body: '{}' });
    expect(answer.headers.get('set-cookie')).toMatch(/^flightline=;.*Max-Age=0/);
    expect([await statusFor(cookie), await statusFor(desk)]).toEqual([401, 200]);
  }
});

it('a sign-out that fails leaves the session; by the button it ends, on every page (B023, B061, B062)', async () => {
  const cookie = sessionCookieOf(await signIn());
  await sql`alter table sessions add constraint never_ends check (revoked_at is null) not valid`.execute(db);
  try {
    const answer = await answerTo(formRequest('/logout', {}, cookie));
    expect(await toastAfter(answer)).toMatchObject({ title: 'Logout failed', tone: 'destructive' });
    expect(await statusFor(cookie)).toBe(200);
  } finally {
    await sql`alter table sessions drop constraint never_ends`.execute(db);
  }
  const answer = await answerTo(formRequest('/logout', {}, cookie));
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toBe('/');
  expect(await toastAfter(answer)).toMatchObject({ title: 'Success', text: 'Logged out successfully' });
  expect(answer.headers.getSetCookie()).toContainEqual(expect.stringMatching(/^flightline=.*Max-Age=0/));
  const page = await answerTo(getRequest('/airplanes', cookie));
  expect([page.status, page.headers.get('location')]).toEqual([302, '/login?to=%2Fairplanes']);
  const filtered = await answerTo(getRequest('/flight-logs?status=completed', cookie));
  expect(filtered.headers.get('location')).toBe('/login?to=%2Fflight-logs%3Fstatus%3Dcompleted');
});

it('a deleted user is signed out by the next request (C26)', async () => {
  const cookie = await cookieOf(db, user);
  await db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', user.id).execute();
  expect(await statusFor(cookie)).toBe(401);
  expect((await answerTo(getRequest('/airplanes', cookie))).headers.get('location')).toMatch(/^\/login/);
});
