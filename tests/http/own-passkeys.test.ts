import { beforeEach, describe, expect, it } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { findOwnPasskeys } from '#app/domain/people/passkeys/change-passkeys.server.ts';
import { insertPasskey } from '#tests/support/passkey-rows.ts';
import { type Answer, cookiesAfter, errorTextOf, sessionCookieOf, toastAfter } from '#tests/support/answers.ts';
import { Authenticator } from '#tests/support/authenticator.ts';
import { testDatabase } from '#tests/support/database.ts';
import {
  actionsAbout,
  askForNewPasskey,
  creationOptionsIn,
  makePasskey,
  passkeysOf,
  sendNewPasskey,
  signInWith,
} from '#tests/support/passkeys.ts';
import { cookieOf, formRequest, getRequest, jsonRequest } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeSchool, makeUser, PASSWORD } from '#tests/support/school.ts';
import { makeSecondFactor } from '#tests/support/second-factor.ts';
import { ageProof } from '#tests/support/sessions.ts';
import { nightly } from '#tests/support/takes-all.ts';

const { db } = await testDatabase();

let user: Member;
let cookie: string;
beforeEach(async () => {
  await db.deleteFrom('login_attempts').execute();
  user = await makeUser(db, await makeSchool(db), 'administrator');
  cookie = await cookieOf(db, user);
});

const post = (path: string, fields: Record<string, string>, as = cookie) => answerTo(formRequest(path, fields, as));
const statusFor = async (as: string) => (await answerTo(getRequest('/api/user', as))).status;
const removePasskey = (id: number | undefined, as = cookie) =>
  post('/account', { intent: 'remove-passkey', passkey: String(id), requestId: crypto.randomUUID() }, as);
const statusAndText = (answer: Answer) => [answer.status, errorTextOf(answer)];

describe('removing a passkey', () => {
  it('works without script, ends the other sessions that it started, and tells administrators of the last one (B499)', async () => {
    const [phone, key] = [await makePasskey(db, user, 'Phone'), await makePasskey(db, user, 'Key')];
    const [byPhone, byKey] = [sessionCookieOf(await signInWith(phone)), sessionCookieOf(await signInWith(key))];
    const [first, second] = await passkeysOf(db, user);
    const answer = await removePasskey(first?.id);
    expect((await signInWith(phone)).status).toBe(401);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/account']);
    expect(await toastAfter(answer)).toMatchObject({ title: 'Passkey removed' });
    expect([await statusFor(cookie), await statusFor(byPhone), await statusFor(byKey)]).toEqual([200, 401, 200]);
    const toSchool = db.selectFrom('mail_outbox').select('subject').where('school_id', '=', user.schoolId);
    const mails = () => toSchool.where('subject', 'not like', 'Your account at %').execute();
    expect(await mails()).toEqual([]);
    await removePasskey(second?.id, byKey);
    expect(await statusFor(byKey)).toBe(200);
    expect(await mails()).toEqual([{ subject: expect.stringMatching(/^The last passkey of .* was removed$/) }]);
    expect((await actionsAbout(db, user)).filter((action) => action === 'removed passkey')).toHaveLength(2);
  });

  it('asks for the password again a quarter of an hour after it was entered (B499, B494)', async () => {
    await makePasskey(db, user);
    const [passkey] = await passkeysOf(db, user);
    await ageProof(db, user, 16);
    const answer = await removePasskey(passkey?.id);
    expect(answer.headers.get('location')).toBe('/confirm-password?to=%2Faccount');
    expect(await passkeysOf(db, user)).toHaveLength(1);
  });

  it('another user’s passkey is not found (B499)', async () => {
    const other = await makeUser(db, user.schoolId);
    await makePasskey(db, other);
    const [passkey] = await passkeysOf(db, other);
    for (const id of [passkey?.id, 0, undefined]) {
      expect(statusAndText(await removePasskey(id))).toEqual([404, 'Passkey not found']);
    }
    expect(await passkeysOf(db, other)).toHaveLength(1);
  });

  nightly('signing out everywhere and a new password leave passkeys (B499)', async () => {
    const authenticator = await makePasskey(db, user);
    await post('/account', { intent: 'sign-out-everywhere' });
    const password = 'quite another one';
    const fields = { currentPassword: PASSWORD, password, confirmPassword: password };
    expect((await post('/account/password', fields, await cookieOf(db, user))).status).toBe(303);
    expect((await signInWith(authenticator)).status).toBe(200);
  });
});

describe('a school that asks its administrators for a second factor', () => {
  const needed = { administrators_need_second_factor: true };
  const requireFactor = () => db.updateTable('schools').set(needed).where('id', '=', user.schoolId).execute();
  const login = (fields: object = {}) => post('/login', { username: user.username, password: PASSWORD, ...fields }, '');

  it('takes a passkey for one, and then no password alone (B493, B497)', async () => {
    const authenticator = await makePasskey(db, user);
    await requireFactor();
    expect((await answerTo(getRequest('/users', sessionCookieOf(await signInWith(authenticator))))).status).toBe(200);
    const byPassword = await login();
    const words = 'Your school asks its administrators for a second factor. Please sign in with your passkey.';
    expect(statusAndText(byPassword)).toEqual([401, words]);
    expect(sessionCookieOf(byPassword)).toBe('');
    const credentials = { username: user.username, password: PASSWORD };
    expect((await answerTo(jsonRequest('POST', '/api/login', credentials))).status).toBe(401);
    expect(await actionsAbout(db, user)).toContain('refused without passkey');
    expect(await actionsAbout(db, user)).not.toContain('signed in');
  });

  it('lets an administrator without one add a passkey in place of codes (B493, B497)', async () => {
    await requireFactor();
    expect((await answerTo(getRequest('/users', cookie))).headers.get('location')).toBe('/account/second-factor');
    const asked = await askForNewPasskey(cookie);
    await sendNewPasskey(cookiesAfter(cookie, asked), new Authenticator().create(creationOptionsIn(asked)));
    expect((await answerTo(getRequest('/users', sessionCookieOf(asked)))).status).toBe(200);
  });

  nightly('asks for the code where the administrator has both, and nothing more of others (B493)', async () => {
    await makePasskey(db, user);
    await makeSecondFactor(db, user);
    await requireFactor();
    expect((await login()).headers.get('location')).toBe('/login/code');
    const student = await makeUser(db, user.schoolId);
    await makePasskey(db, student);
    expect((await login({ username: student.username })).headers.get('location')).toBe('/');
  });
});

nightly('the passkey that was added last stands first (B496)', async () => {
  const user = await makeUser(db, await makeSchool(db));
  for (const name of ['Phone', 'Key', 'Laptop']) await insertPasskey(db, user, { name });
  expect((await findOwnPasskeys(db, user.id)).map(({ name }) => name)).toEqual(['Laptop', 'Key', 'Phone']);
});
