import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeSchool, makeUser, type Member, PASSWORD, testDatabase } from '#tests/support/makers.ts';
import { cookieOf, formRequest, getRequest, keptCookies, sessionCookieOf, toastAfter } from '#tests/support/ask.ts';
import { answerTo } from '#tests/support/routes.ts';
import { nightly } from '#tests/support/takes-all.ts';
import { deleteUser } from '#app/domain/people/change-user.server.ts';
import { Authenticator, type Lies } from '#tests/support/authenticator.ts';
import { countWaiting } from '#tests/support/faults.ts';
import {
  actionsAbout,
  askForNewPasskey,
  askToSignIn,
  creationOptionsIn,
  makePasskey,
  passkeysOf,
  sendAssertion,
  sendNewPasskey,
  signInWith,
} from '#tests/support/passkeys.ts';
import { insertPasskey } from '#tests/support/passkey-rows.ts';
import { makeSecondFactor } from '#tests/support/second-factor.ts';

const { db } = await testDatabase();

let user: Member, cookie: string;
beforeEach(async () => {
  await db.deleteFrom('login_attempts').execute();
  user = await makeUser(db, await makeSchool(db), 'administrator');
  cookie = await cookieOf(db, user);
});

const REFUSED = 'This passkey cannot be used here. Please try again, or log in with your password.';
const EXPIRED = 'This took too long or was sent already. Please try again.';
const UNREADABLE = 'The answer of the passkey could not be read. Please try again.';

const statusFor = async (as: string) => (await answerTo(getRequest('/api/user', as))).status;

describe('signing in with a passkey', () => {
  it('takes no username or code, starts a new session, goes where it was to go, and is recorded (B497)', async () => {
    const authenticator = await makePasskey(db, user);
    const { options, cookie: asked } = await askToSignIn(cookie);
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required', allowCredentials: [] });
    const answer = await sendAssertion(authenticator.get(options), `${cookie}; ${asked}`, { to: '/users' });
    expect([answer.status, answer.body]).toEqual([200, '{"to":"/users"}']);
    expect(await toastAfter(answer)).toMatchObject({ title: 'Login successful!' });
    const cleared = answer.headers.getSetCookie().find((set) => set.startsWith('flightline-passkey='));
    expect(cleared).toMatch(/Max-Age=0/);
    expect([await statusFor(sessionCookieOf(answer)), await statusFor(cookie)]).toEqual([200, 401]);
    const [used] = await passkeysOf(db, user);
    expect(used?.last_used_at).toBeInstanceOf(Date);
    expect(await actionsAbout(db, user)).toEqual(['added passkey', 'signed in by passkey']);
    await makeSecondFactor(db, user);
    expect(await statusFor(sessionCookieOf(await signInWith(authenticator)))).toBe(200);
  });

  nightly('makes the browser a known device, but a shared computer for its session (B497, B419)', async () => {
    const authenticator = await makePasskey(db, user);
    expect(keptCookies(await signInWith(authenticator))).toMatch(/flightline-device=./);
    const { options, cookie: asked } = await askToSignIn();
    const shared = await sendAssertion(authenticator.get(options), asked, { sharedComputer: 'on' });
    expect(keptCookies(shared)).not.toContain('flightline-device');
    expect(shared.headers.getSetCookie().find((set) => set.startsWith('flightline='))).not.toContain('Max-Age');
  });

  it.each<[string, Lies]>([
    ['at another origin', { origin: 'https://evil.example' }],
    ['at another port of this machine', { origin: 'http://localhost:3001' }],
    ['for another site', { rpId: 'evil.example' }],
    ['for another challenge', { challenge: 'bm90IHRoaXM' }],
    ['as a new passkey', { type: 'webauthn.create' }],
    ['in a frame of another site', { crossOrigin: true }],
    ['without verifying the user', { isVerified: false }],
    ['for another user', { userHandle: Buffer.from('user 1').toString('base64url') }],
    ['for no user', { userHandle: '' }],
    ['by a credential that nobody has', { credentialId: 'bm9ib2R5' }],
  ])('an assertion made %s is refused in words, and recorded (B498)', async (_, lies) => {
    const answer = await signInWith(await makePasskey(db, user), lies);
    expect([answer.status, answer.body]).toEqual(lies.userHandle === '' ? [400, UNREADABLE] : [401, REFUSED]);
    expect(sessionCookieOf(answer)).toBe('');
    const isKnown = lies.credentialId === undefined && lies.userHandle !== '';
    expect(await actionsAbout(db, user)).toEqual(['added passkey', ...(isKnown ? ['passkey refused'] : [])]);
  });

  it('an assertion of another key, or one that names no user, is refused (B498)', async () => {
    const { userHandle, id: credentialId } = await makePasskey(db, user);
    const other = await makePasskey(db, await makeUser(db, await makeSchool(db)));
    expect(await signInWith(other, { credentialId, userHandle })).toMatchObject({ status: 401, body: REFUSED });
    const { options, cookie: asked } = await askToSignIn();
    const assertion = JSON.parse(other.get(options));
    const ofNobody = { ...assertion, response: { ...assertion.response, userHandle: null } };
    expect(await sendAssertion(JSON.stringify(ofNobody), asked)).toMatchObject({ status: 401, body: REFUSED });
  });

  nightly('a challenge is good once, right or wrong, and in the browser that asked (B498)', async () => {
    const authenticator = await makePasskey(db, user);
    const { options, cookie: asked } = await askToSignIn();
    const response = authenticator.get(options);
    expect(await sendAssertion(response, '')).toMatchObject({ status: 401, body: EXPIRED });
    expect((await sendAssertion(response, asked)).status).toBe(200);
    expect(await sendAssertion(response, asked)).toMatchObject({ status: 401, body: EXPIRED });
    const again = await askToSignIn();
    const wrong = authenticator.get(again.options, { isVerified: false });
    expect(await sendAssertion(wrong, again.cookie)).toMatchObject({ status: 401, body: REFUSED });
    const right = authenticator.get(again.options);
    expect(await sendAssertion(right, again.cookie)).toMatchObject({ status: 401, body: EXPIRED });
  });

  nightly('of several sign-ins at once for one challenge, or with the same count, one gets in (B498)', async () => {
    const authenticator = await makePasskey(db, user);
    const { options, cookie: asked } = await askToSignIn();
    const sending = Array.from({ length: 8 }, () => sendAssertion(authenticator.get(options), asked));
    const statuses = (await Promise.all(sending)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, ...Array<number>(7).fill(401)]);
    const counted = await Promise.all([1, 2, 3, 4].map(() => signInWith(authenticator, { counter: 30 })));
    expect(counted.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401]);
  });

  it('the challenge of a new passkey signs nobody in (B498)', async () => {
    const authenticator = await makePasskey(db, user);
    const asked = await askForNewPasskey(cookie);
    const response = authenticator.get(creationOptionsIn(asked));
    expect(await sendAssertion(response, keptCookies(asked))).toMatchObject({ status: 401, body: EXPIRED });
  });

  it('a counter that falls back or stands still is a copy, and refused; no other passkey is counted (B498)', async () => {
    const authenticator = await makePasskey(db, user);
    await insertPasskey(db, user, { name: 'Other' });
    expect((await signInWith(authenticator, { counter: 7 })).status).toBe(200);
    for (const counter of [7, 6, 0]) {
      expect(await signInWith(authenticator, { counter })).toMatchObject({ status: 401, body: REFUSED });
    }
    expect((await signInWith(authenticator, { counter: 4_294_967_295 })).status).toBe(200);
    const others = (await passkeysOf(db, user)).filter(({ name }) => name === 'Other');
    expect(others).toMatchObject([{ counter: '0', last_used_at: null }]);
  });

  nightly('takes its user before the passkey, as removing either, so that none blocks (B497)', async () => {
    const authenticator = await makePasskey(db, user);
    const { signingIn } = await db.transaction().execute(async (trx) => {
      await trx.selectFrom('users').select('id').where('id', '=', user.id).forUpdate().execute();
      const begun = { signingIn: signInWith(authenticator) };
      await expect.poll(() => countWaiting(db), { timeout: 120_000 }).toBe(1);
      const free = trx.selectFrom('passkeys').select('id').where('user_id', '=', user.id).forUpdate().skipLocked();
      expect(await free.execute()).toHaveLength(1);
      return begun;
    });
    expect((await signingIn).status).toBe(200);
  });

  nightly('a deleted user is refused, and no passkey of theirs is left (B498)', async () => {
    const boss = await makeUser(db, user.schoolId, 'administrator');
    const authenticator = await makePasskey(db, user);
    const kept = await passkeysOf(db, user);
    await deleteUser(db, boss, user.id);
    expect(await passkeysOf(db, user)).toEqual([]);
    expect(await signInWith(authenticator)).toMatchObject({ status: 401, body: REFUSED });
    await db
      .insertInto('passkeys')
      .values(kept.map(({ id: _, ...row }) => ({ ...row, counter: 0 })))
      .execute();
    expect(await signInWith(authenticator), 'even if a row were left').toMatchObject({ status: 401, body: REFUSED });
  });

  nightly('what is no assertion is refused with 4xx in words, past 256 kB with 413 (B498)', async () => {
    const empty = { clientDataJSON: 'e30', authenticatorData: 'e30', signature: 'e30' };
    const shaped = (response: object) => JSON.stringify({ id: 'a', rawId: 'a', type: 'public-key', response });
    const long = [`{"id":"${'a'.repeat(1365)}"}`, `"${'x'.repeat(16_384)}"`];
    for (const response of ['', 'junk', '{}', '[]', 'null', '{"id":1}', shaped({}), shaped(empty), ...long]) {
      const { cookie: asked } = await askToSignIn();
      const answer = await sendAssertion(response, asked);
      expect([400, 401], response).toContain(answer.status);
      expect(answer.body).toMatch(/^(The answer of the passkey could not be read|This passkey cannot be used here)/);
      expect([400, 401], response).toContain((await sendNewPasskey(cookie, response)).status);
    }
    expect((await sendAssertion('x'.repeat(262_145), '')).status).toBe(413);
    expect((await sendNewPasskey(cookie, 'x'.repeat(262_145))).status).toBe(413);
  });

  nightly('wrong ones count in the budgets of passwords, and a known device keeps its own (B497, B418)', async () => {
    const authenticator = await makePasskey(db, user);
    const known = keptCookies(await signInWith(authenticator));
    for (let guess = 0; guess < 10; guess += 1) await signInWith(authenticator, { isVerified: false });
    const locked = await signInWith(authenticator);
    expect([locked.status, Number(locked.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    const byPassword = await answerTo(formRequest('/login', { username: user.username, password: PASSWORD }));
    expect(byPassword.status).toBe(429);
    const device = known.split('; ').find((one) => one.startsWith('flightline-device='));
    expect((await signInWith(authenticator, {}, device)).status).toBe(200);
  });

  nightly('a right one takes back its attempt, so that any number of them gets in (B497, B418)', async () => {
    const authenticator = await makePasskey(db, user);
    expect((await signInWith(authenticator)).status).toBe(200);
    const counted = db.selectFrom('login_attempts').select(['key', 'failures']).where('failures', '>', 0);
    const attempts = counted.where('key', 'not like', 'told:%');
    expect(await attempts.execute()).toEqual([]);
  });

  nightly('passkeys that nobody has count for the address (B497, B418)', async () => {
    const address = { key: 'address:unknown', failures: 100, expires_at: sql<Date>`now() + interval '5 minutes'` };
    await db.insertInto('login_attempts').values(address).execute();
    const answer = await signInWith(new Authenticator(), { userHandle: 'dXNlcg' });
    expect([answer.status, Number(answer.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
  });
});
