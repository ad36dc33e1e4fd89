import { beforeEach, describe, expect, it } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { sessionCookieOf, toastAfter } from '#tests/support/answers.ts';
import { testDatabase } from '#tests/support/database.ts';
import { documentAfter, documentAt, hiddenFieldsOf, textOf } from '#tests/support/documents.ts';
import { cookieOf, formRequest, getRequest, jsonRequest } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeAircraft, makeSchool, makeUser, PASSWORD } from '#tests/support/school.ts';
import { ageProof } from '#tests/support/sessions.ts';
import { nightly } from '#tests/support/takes-all.ts';

const { db } = await testDatabase();
const ASKED = '/confirm-password?to=%2Fusers%3Findex';

let boss: Member;
let student: Member;
let cookie: string;
beforeEach(async () => {
  boss = await makeUser(db, await makeSchool(db), 'administrator');
  student = await makeUser(db, boss.schoolId);
  cookie = await cookieOf(db, boss);
});

const post = (path: string, fields: Record<string, string>) => answerTo(formRequest(path, fields, cookie));
const removal = () => ({ intent: 'delete-user', userId: String(student.id), requestId: crypto.randomUUID() });
const statusFor = async (as: string) => (await answerTo(getRequest('/api/user', as))).status;
const isThere = async () =>
  (await db.selectFrom('users').select('deleted_at').where('id', '=', student.id).executeTakeFirst())?.deleted_at ===
  null;

const minutesPass = (minutes: number) => ageProof(db, boss, minutes);

/** The fields of the screen that asks, with what is typed there. */
async function fieldsAsked(passwordAgain: string, address = ASKED): Promise<Record<string, string>> {
  return { ...hiddenFieldsOf(await documentAt(address, cookie)), passwordAgain };
}

describe('a dangerous act', () => {
  it('is done at once up to fifteen minutes after the password was entered (B494)', async () => {
    await minutesPass(14);
    expect((await post('/users?index', removal())).headers.get('location')).toBe('/users');
    expect(await isThere()).toBe(false);
  });

  it('asks for the password later, and then goes on with what was chosen, without anything lost (B494)', async () => {
    await minutesPass(16);
    const asked = await post('/users?index', removal());
    expect([asked.status, asked.headers.get('location')]).toEqual([303, ASKED]);
    expect(await isThere()).toBe(true);
    const { $ } = await documentAt(ASKED, cookie);
    expect([textOf($('h1')), $('main form').attr('action')]).toEqual(['Confirm Your Password', '/users?index']);
    const answer = await post('/users?index', await fieldsAsked(PASSWORD));
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/users']);
    expect(await isThere()).toBe(false);
    expect(await toastAfter(answer)).toMatchObject({ title: 'User deleted successfully' });
    expect((await answerTo(getRequest(ASKED, sessionCookieOf(answer)))).headers.get('location')).toBe('/users');
  });

  nightly(
    'asks for the password before a link for a new one is made, which would do without the old one (B494)',
    async () => {
      const fields = { intent: 'send-password-link', userId: String(boss.id) };
      const links = () => db.selectFrom('password_links').select('user_id').where('user_id', '=', boss.id).execute();
      await minutesPass(16);
      expect((await post('/users?index', fields)).headers.get('location')).toBe(ASKED);
      expect(await links()).toEqual([]);
      const answer = await post('/users?index', await fieldsAsked(PASSWORD));
      expect(await toastAfter(answer)).toMatchObject({ title: 'Password link sent' });
      expect(await links()).toHaveLength(1);
    },
  );

  it('says what the password finishes, and no secret of it (B1572)', async () => {
    await minutesPass(16);
    await post('/users?index', removal());
    expect(textOf((await documentAt(ASKED, cookie)).$('main dl'))).toMatch(/Page ?\/users ?Action ?delete user/);
    const fields = {
      username: 'intruder',
      email: 'in@truder.example',
      role: 'administrator',
      password: 'gull-and-kite-9',
    };
    const asked = await post('/users/add', fields);
    const shown = textOf((await documentAt(String(asked.headers.get('location')), cookie)).$('main dl'));
    for (const words of ['/users/add', 'intruder', 'in@truder.example', 'administrator'])
      expect(shown).toContain(words);
    expect(shown).not.toContain('gull');
  });

  it('goes on in the same session with a new token, and ends the former token (B494)', async () => {
    const session = () =>
      db
        .selectFrom('sessions')
        .select(['number', 'created_at', 'ends_at', 'revoked_at'])
        .where('user_id', '=', boss.id)
        .execute();
    await minutesPass(16);
    const before = await session();
    const answer = await post('/users?index', { ...removal(), passwordAgain: PASSWORD });
    expect(sessionCookieOf(answer)).not.toBe(cookie);
    expect([await statusFor(cookie), await statusFor(sessionCookieOf(answer))]).toEqual([401, 200]);
    expect(await session()).toEqual(before);
  });

  nightly('keeps the user signed in where the password was right and the act is refused (B494)', async () => {
    const self = { ...removal(), userId: String(boss.id) };
    const unknown = { intent: 'delete-aircraft', aircraftId: '999999999' };
    const acts = [
      ['/users?index', self],
      ['/airplanes?index', unknown],
      ['/school-settings', { name: '' }],
      ['/flight-log/999999999/post-check', {}],
      ['/users/none', {}],
    ] as const;
    for (const [path, fields] of acts) {
      const answer = await post(path, { ...fields, passwordAgain: PASSWORD });
      expect([path, answer.status]).toEqual([path, expect.toSatisfy((status: number) => status >= 400)]);
      expect([path, await statusFor(cookie)]).toEqual([path, 401]);
      cookie = sessionCookieOf(answer);
      expect([path, await statusFor(cookie)]).toEqual([path, 200]);
    }
  });

  nightly('on a shared computer the session goes on ending with the browser (B494, C26)', async () => {
    await db.updateTable('sessions').set({ shared_computer: true }).where('user_id', '=', boss.id).execute();
    const answer = await post('/users?index', { ...removal(), passwordAgain: PASSWORD });
    const set = answer.headers.getSetCookie().find((one) => one.startsWith('flightline='));
    expect(set).not.toMatch(/max-age|expires/i);
    expect(await statusFor(sessionCookieOf(answer))).toBe(200);
  });

  it('the password is not among what comes back where the act is refused (B494, C34)', async () => {
    const { $, status } = await documentAfter('/school-settings', { name: '', passwordAgain: PASSWORD }, cookie);
    expect([status, $.html().includes(PASSWORD)]).toEqual([400, false]);
    const { body } = await post('/users?index', { ...removal(), userId: String(boss.id), passwordAgain: PASSWORD });
    expect(JSON.stringify(body)).not.toContain(PASSWORD);
  });

  nightly('of two confirmations at once with the same token one is taken (B494)', async () => {
    await minutesPass(16);
    const answers = await Promise.all(
      [1, 2].map(() => post('/users?index', { ...removal(), passwordAgain: PASSWORD })),
    );
    const cookies = answers.map(sessionCookieOf).filter((kept) => kept !== '');
    expect(cookies).toHaveLength(1);
    expect(await statusFor(cookies[0] ?? '')).toBe(200);
  });

  it('asks again after a wrong password, and counts it as a failed sign-in (B494)', async () => {
    await minutesPass(16);
    await post('/users?index', removal());
    const fields = await fieldsAsked('not mine');
    const answer = await post('/users?index', fields);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, ASKED]);
    expect(await toastAfter(answer)).toMatchObject({ text: 'This is not your current password' });
    for (let guess = 1; guess < 10; guess += 1) await post('/users?index', fields);
    expect((await post('/users?index', await fieldsAsked(PASSWORD))).status).toBe(429);
    expect(await isThere()).toBe(true);
  });

  nightly('asks for nothing again within fifteen minutes of the answer (B494)', async () => {
    await minutesPass(16);
    const id = await makeAircraft(db, boss.schoolId);
    const fields = { intent: 'delete-aircraft', aircraftId: String(id) };
    const asked = await post('/airplanes?index', fields);
    expect(asked.headers.get('location')).toBe('/confirm-password?to=%2Fairplanes%3Findex');
    cookie = sessionCookieOf(await post('/airplanes?index', { ...fields, passwordAgain: PASSWORD }));
    expect((await post('/users?index', removal())).headers.get('location')).toBe('/users');
  });

  it.each(['end-session', 'sign-out-everywhere'])(
    'asks for the password on the account screen to %s (B494, B482)',
    async (intent) => {
      const phone = await cookieOf(db, boss);
      const { number } = await db
        .selectFrom('sessions')
        .select('number')
        .where('user_id', '=', boss.id)
        .orderBy('number', 'desc')
        .executeTakeFirstOrThrow();
      const fields = { intent, session: String(number) };
      await minutesPass(16);
      const asked = await post('/account', fields);
      expect([asked.status, asked.headers.get('location')]).toEqual([303, '/confirm-password?to=%2Faccount']);
      expect([await statusFor(cookie), await statusFor(phone)]).toEqual([200, 200]);
      const answer = await post('/account', await fieldsAsked(PASSWORD, '/confirm-password?to=%2Faccount'));
      expect(answer.status).toBe(303);
      const isKept = intent === 'end-session';
      expect([await statusFor(sessionCookieOf(answer)), await statusFor(phone)]).toEqual([isKept ? 200 : 401, 401]);
    },
  );

  nightly('is refused as a call with 403 in words, and done after signing in again (B494)', async () => {
    await minutesPass(16);
    const call = (path: string, as: string) => answerTo(jsonRequest('DELETE', path, undefined, as));
    for (const path of [`/api/users/${student.id}`, `/api/aircraft/${await makeAircraft(db, boss.schoolId)}`]) {
      const refused = await call(path, cookie);
      expect([refused.status, refused.body]).toEqual([403, expect.stringContaining('Please sign in again first.')]);
      expect((await call(path, await cookieOf(db, boss))).status).toBe(200);
    }
  });

  nightly('of somebody else, kept for the password, is shown to nobody (B494)', async () => {
    await minutesPass(16);
    await post('/users?index', removal());
    const other = await cookieOf(db, await makeUser(db, boss.schoolId, 'administrator'));
    expect((await answerTo(getRequest(ASKED, other))).headers.get('location')).toBe('/users');
  });
});
