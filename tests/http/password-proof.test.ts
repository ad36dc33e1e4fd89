import { beforeEach, describe, expect, it } from 'vitest';
import { makeAircraft, makeSchool, makeUser, type Member, PASSWORD, testDatabase } from '#tests/support/makers.ts';
import { ageProof } from '#tests/support/sessions.ts';
import { answerTo, cookieOf, formRequest, getRequest, sessionCookieOf, toastAfter } from '#tests/support/ask.ts';
import { documentAfter, documentAt, hiddenFieldsOf, nightly, textOf } from '#tests/support/pages.ts';

const { db } = await testDatabase();
const ASKED = '/confirm-password?to=%2Fusers%3Findex';

let boss: Member, student: Member, cookie: string;
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

  it('says what the password finishes, and no secret of it (B1572)', async () => {
    await minutesPass(16);
    await post('/users?index', removal());
    expect(textOf((await documentAt(ASKED, cookie)).$('main dl'))).toMatch(/Page ?\/users ?Action ?delete user/);
    const intruder = { username: 'intruder', email: 'in@truder.example', role: 'administrator' };
    const fields = { ...intruder, password: 'gull-and-kite-9' };
    const asked = await post('/users/add', fields);
    const shown = textOf((await documentAt(String(asked.headers.get('location')), cookie)).$('main dl'));
    for (const words of ['/users/add', ...Object.values(intruder)]) expect(shown).toContain(words);
    expect(shown).not.toContain('gull');
  });

  it('goes on in the same session with a new token, and ends the former token (B494)', async () => {
    const columns = ['number', 'created_at', 'ends_at', 'revoked_at'] as const;
    const session = () => db.selectFrom('sessions').select(columns).where('user_id', '=', boss.id).execute();
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
    const acts = { '/users?index': self, '/airplanes?index': unknown, '/school-settings': { name: '' } };
    for (const [path, fields] of Object.entries({
      ...acts,
      '/flight-log/999999999/post-check': {},
      '/users/none': {},
    })) {
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

  it('asks again after a wrong password, says so in its field, and counts it as a failed sign-in (B494, B1755)', async () => {
    await minutesPass(16);
    await post('/users?index', removal());
    const fields = await fieldsAsked('not mine');
    const answer = await post('/users?index', fields);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, ASKED]);
    expect(await toastAfter(answer)).toMatchObject({ text: 'This is not your current password' });
    const flashed = answer.headers.getSetCookie().map((one) => one.split(';')[0]);
    const { $ } = await documentAt(ASKED, [cookie, ...flashed].join('; '));
    const field = $('[name=passwordAgain]');
    expect([field.is('[autofocus]'), textOf($(`#${field.attr('aria-describedby')}`))]).toEqual([
      true,
      'This is not your current password',
    ]);
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

  it('asks for the password on the account screen to end sessions (B494, B482)', async () => {
    for (const intent of ['end-session', 'sign-out-everywhere']) {
      cookie = await cookieOf(db, boss);
      const phone = await cookieOf(db, boss);
      const ofBoss = db.selectFrom('sessions').select('number').where('user_id', '=', boss.id);
      const { number } = await ofBoss.orderBy('number', 'desc').executeTakeFirstOrThrow();
      await minutesPass(16);
      const asked = await post('/account', { intent, session: String(number) });
      const address = '/confirm-password?to=%2Faccount';
      expect([asked.status, asked.headers.get('location')]).toEqual([303, address]);
      expect([await statusFor(cookie), await statusFor(phone)]).toEqual([200, 200]);
      const answer = await post('/account', await fieldsAsked(PASSWORD, address));
      expect(answer.status).toBe(303);
      const kept = intent === 'end-session' ? 200 : 401;
      expect([await statusFor(sessionCookieOf(answer)), await statusFor(phone)]).toEqual([kept, 401]);
    }
  });

  nightly('of somebody else, kept for the password, is shown to nobody (B494)', async () => {
    await minutesPass(16);
    await post('/users?index', removal());
    const other = await cookieOf(db, await makeUser(db, boss.schoolId, 'administrator'));
    expect((await answerTo(getRequest(ASKED, other))).headers.get('location')).toBe('/users');
  });
});
