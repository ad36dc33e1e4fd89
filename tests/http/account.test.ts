import { beforeEach, describe, expect, it } from 'vitest';
import { type Actor, makeSchool, makeUser, type Member, PASSWORD, testDatabase } from '#tests/support/makers.ts';
import { ageProof } from '#tests/support/sessions.ts';
import { type Answer, answerTo, sessionCookieOf, toastAfter } from '#tests/support/ask.ts';
import { call, cookieOf, formRequest, getRequest, jsonRequest } from '#tests/support/requests.ts';
import { documentAfter, documentAt, nightly, textsOf } from '#tests/support/pages.ts';
import { saveDraft } from '#app/domain/drafts.server.ts';
import { verifyPassword } from '#app/domain/people/passwords.server.ts';
import { loader as whoAmI } from '#app/routes/api.user.ts';
import { findSessionUser } from '#app/server/session/session.server.ts';

const { db } = await testDatabase();
const schoolId = await makeSchool(db);
const NEW = 'quite another one';
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:138.0) Gecko/20100101 Firefox/138.0';

let user: Member, cookie: string;
beforeEach(async () => {
  user = await makeUser(db, schoolId);
  cookie = await cookieOf(db, user);
});

const post = (path: string, fields: Record<string, string>, as = cookie) => answerTo(formRequest(path, fields, as));
const changePassword = (more: object = {}, as = cookie) =>
  post('/account/password', { currentPassword: PASSWORD, password: NEW, confirmPassword: NEW, ...more }, as);
const changeEmail = (email: string, currentPassword = PASSWORD) => post('/account/email', { email, currentPassword });
const statusFor = async (as: string) => (await whoAmI(call(getRequest('/api/user', as)))).status;
const row = () => db.selectFrom('users').selectAll().where('id', '=', user.id).executeTakeFirstOrThrow();
const fits = async (password: string) => verifyPassword(password, (await row()).password_hash);
const errorsOf = ({ body }: Answer) => (body as { result: { error: Record<string, string[]> } }).result.error;
const actorOf = async (as: string): Promise<Actor> =>
  (await findSessionUser(db, getRequest('/', as))) ?? expect.fail('signed out');
const page = async (as = cookie) => (await documentAt('/account', as)).$;

async function signInFrom(userAgent: string, address: string): Promise<string> {
  const headers = { 'user-agent': userAgent, 'x-client-address': address };
  const credentials = { username: user.username, password: PASSWORD };
  const answer = await answerTo(jsonRequest('POST', '/api/login', credentials, '', headers));
  return sessionCookieOf(answer);
}

it('a new password is saved with the current one, renews this session, and ends every other (B480, B916)', async () => {
  const phone = await cookieOf(db, user);
  const answer = await changePassword();
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/account']);
  expect(await toastAfter(answer)).toMatchObject({ title: 'Password changed' });
  expect([await fits(NEW), await fits(PASSWORD)]).toEqual([true, false]);
  const [former, others, own] = [cookie, phone, sessionCookieOf(answer)];
  expect([await statusFor(former), await statusFor(others), await statusFor(own)]).toEqual([401, 401, 200]);
});

it.each([
  ['short', { password: '12345', confirmPassword: '12345' }, 'password', 'Password must be at least 6 characters'],
  ['typed differently', { confirmPassword: 'x' }, 'confirmPassword', 'Passwords do not match'],
  ['missing', { currentPassword: '' }, 'currentPassword', 'Please enter your current password'],
  ['not the current', { currentPassword: 'not mine' }, 'currentPassword', 'This is not your current password'],
  ['the same', { password: PASSWORD, confirmPassword: PASSWORD }, 'password', /current password/],
])('a password that is %s is refused at its field (B480, B305)', async (_, fields, name, text) => {
  const answer = await changePassword(fields);
  expect([answer.status, errorsOf(answer)]).toEqual([400, { [name]: [expect.stringMatching(text)] }]);
  expect(JSON.stringify(answer.body)).not.toMatch(/not mine|quite another/);
  expect(await fits(PASSWORD)).toBe(true);
});

nightly('guesses use up the budget of sign-ins; the same form again gets one answer (B480, B400, B418)', async () => {
  for (let guess = 0; guess < 10; guess += 1) await changePassword({ currentPassword: 'not mine' });
  const answer = await changePassword();
  expect([answer.status, Number(answer.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  await db.deleteFrom('login_attempts').execute();
  const requestId = crypto.randomUUID();
  const first = await changePassword({ requestId });
  const again = await changePassword({ requestId }, sessionCookieOf(first));
  expect([first, again].map(({ headers }) => headers.get('location'))).toEqual(['/account', '/account']);
});

it('a new email is saved with the right password, in the audit log, and withdraws links; no other is (B481)', async () => {
  const other = await makeUser(db, schoolId);
  expect(errorsOf(await changeEmail('new@b.example', 'not mine'))).toHaveProperty('currentPassword');
  expect(errorsOf(await changeEmail('new@'))).toEqual({ email: ['Must be a valid email'] });
  const taken = await changeEmail(other.email.toUpperCase());
  expect([taken.status, errorsOf(taken)]).toEqual([409, { email: ['A user with this email already exists'] }]);
  expect((await row()).email).toBe(user.email);
  cookie = await cookieOf(db, user);
  const link = { school_id: schoolId, token_hash: user.username, expires_at: new Date('2999-01-01') };
  const passwordLinkRow = { ...link, user_id: user.id };
  await db.insertInto('password_links').values(passwordLinkRow).execute();
  const email = `new.${user.email}`;
  const answer = await changeEmail(email);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/account']);
  expect((await row()).email).toBe(email);
  const [entry] = await db
    .selectFrom('audit_entries')
    .innerJoin('audit_emails', 'entry_id', 'audit_entries.id')
    .select(['action', 'email'])
    .where('user_id', '=', user.id)
    .execute();
  expect(entry).toEqual({ action: 'changed own email', email: user.email });
  expect(await db.selectFrom('password_links').where('user_id', '=', user.id).selectAll().execute()).toEqual([]);
});

describe('a user’s own sessions', () => {
  it('are listed with device, address and times, this one marked, and each other one with a button to end it (B482)', async () => {
    await signInFrom(FIREFOX, '::ffff:203.0.113.7');
    await signInFrom('curl/8', '2001:db8::7');
    const $ = await page();
    const sessions = textsOf($, '.list-rows li:contains("last seen")');
    expect(sessions).toHaveLength(3);
    expect(sessions[0]).toContain('This device');
    expect(sessions[0]).not.toContain('End');
    const firefox = sessions.find((text) => text.includes('Firefox on Windows'));
    expect(firefox).toMatch(/From 203\.0\.113\.7, signed in \d+ \w+ \d{4}.* last seen \d+ \w+ \d{4}.*End/);
    expect(sessions.filter((text) => text.includes('Unknown device'))).toHaveLength(2);
  });

  it('ended from here, a session is signed out at once and no other; Sign out everywhere ends all (B482)', async () => {
    const phone = await signInFrom(FIREFOX, '203.0.113.7');
    const session = String((await page())('.list-rows input[name=session]').attr('value'));
    const answer = await post('/account', { intent: 'end-session', session });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/account']);
    expect([await statusFor(phone), await statusFor(cookie)]).toEqual([401, 200]);
    expect((await page())('.list-rows li:contains("last seen")')).toHaveLength(1);
    const tablet = await cookieOf(db, user);
    const all = await post('/account', { intent: 'sign-out-everywhere' });
    expect([all.status, all.headers.get('location')]).toEqual([303, '/login']);
    expect([await statusFor(tablet), await statusFor(cookie)]).toEqual([401, 401]);
  });

  nightly('are last seen when they were last used, to five minutes (B482)', async () => {
    const seen = async () =>
      (await db.selectFrom('sessions').select('seen_at').where('user_id', '=', user.id).executeTakeFirstOrThrow())
        .seen_at;
    const long = new Date(Date.now() - 6 * 60_000);
    await db.updateTable('sessions').set({ seen_at: long }).where('user_id', '=', user.id).execute();
    await statusFor(cookie);
    expect((await seen()).getTime()).toBeGreaterThan(long.getTime());
  });
});

it('the account is linked from the header of every screen for who is signed in, and for nobody else (B483)', async () => {
  for (const path of ['/', '/airplanes', '/users', '/no/such/page']) {
    const { $ } = await documentAt(path, cookie);
    expect([path, $('header a[href="/account"]').length]).toEqual([path, 1]);
  }
  expect((await documentAt('/', '')).$('header a[href="/account"]')).toHaveLength(0);
});

describe('the password entered again in a session', () => {
  it.each([
    ['changing the email', '/account/email', { email: 'new.one@b.example' }, 303],
    ['changing the email, which is refused', '/account/email', { email: 'new@' }, 400],
    ['the key of a second factor', '/account/second-factor', { intent: 'begin' }, 303],
    ['asking for a passkey', '/account/passkey', { intent: 'ask', name: 'Key' }, 200],
  ])('for %s gives it a new token, and the page of the answer is its own (B916)', async (_, path, fields, status) => {
    const answer = await documentAfter(path, { ...fields, currentPassword: PASSWORD }, cookie);
    expect(answer.status).toBe(status);
    const own = sessionCookieOf(answer);
    expect(own !== '').toBe(status !== 400);
    expect([await statusFor(cookie), await statusFor(own || cookie)]).toEqual([own === '' ? 200 : 401, 200]);
  });

  nightly('keeps a form that was on its way with the former token, and none later (B916)', async () => {
    const own = sessionCookieOf(await changePassword());
    const late = await post('/account/name', { name: 'Typed Late' });
    expect([late.status, late.headers.get('location')]).toEqual([303, '/login?to=%2Faccount%2Fname']);
    const { $ } = await documentAt('/account/name', own);
    expect($('main').text()).toContain('Check it and send it again');
    expect($('input[name=name]').val()).toBe('Typed Late');
    await db.deleteFrom('drafts').execute();
    await ageProof(db, user, 6);
    await post('/account/name', { name: 'Typed Later' });
    expect(await db.selectFrom('drafts').select('form').where('user_id', '=', user.id).execute()).toEqual([]);
  });

  nightly('leaves what was typed in it of this device (B916)', async () => {
    const typed = { form: '/account/name#name', username: 'typed' };
    await saveDraft(db, await actorOf(cookie), '/account/name#name', Object.entries(typed));
    const own = sessionCookieOf(await changePassword());
    const [draft] = await db.selectFrom('drafts').select('saved_by').where('user_id', '=', user.id).execute();
    expect(draft?.saved_by).toBe((await actorOf(own)).sessionId);
  });
});
