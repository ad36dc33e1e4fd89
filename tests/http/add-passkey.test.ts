import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeSchool, makeUser, type Member, PASSWORD, testDatabase } from '#tests/support/makers.ts';
import { ageProof, revokeSessions } from '#tests/support/sessions.ts';
import { answerTo, cookieOf, formRequest, getRequest, jsonRequest } from '#tests/support/ask.ts';
import {
  type Answer,
  cookiesAfter,
  errorTextOf,
  keptCookies,
  sessionCookieOf,
  toastAfter,
} from '#tests/support/answers.ts';
import { documentAt, nightly, textOf } from '#tests/support/pages.ts';
import type { Cbor } from '#tests/support/attestation-certificate.ts';
import { Authenticator, type Lies } from '#tests/support/authenticator.ts';
import {
  actionsAbout,
  addPasskeyTo,
  askForNewPasskey,
  creationOptionsIn,
  makePasskey,
  passkeysOf,
  sendNewPasskey,
  signInWith,
} from '#tests/support/passkeys.ts';
import { findOwnPasskeys } from '#app/domain/people/passkeys/change-passkeys.server.ts';
import { insertPasskey } from '#tests/support/passkey-rows.ts';
import { makeSecondFactor } from '#tests/support/second-factor.ts';

const { db } = await testDatabase();

let user: Member, cookie: string;
beforeEach(async () => {
  await db.deleteFrom('login_attempts').execute();
  user = await makeUser(db, await makeSchool(db), 'administrator');
  cookie = await cookieOf(db, user);
});

const EXPIRED = 'This took too long or was sent already. Please try again.';
const ROW = { name: 'Key', public_key: Buffer.from('key'), counter: 0, backed_up: false };

const statusAndText = (answer: Answer) => [answer.status, errorTextOf(answer)];

function ellipticKey(algorithm: number, curve: number): Cbor {
  return new Map<Cbor, Cbor>([
    [1, 2],
    [3, algorithm],
    [-1, curve],
    [-2, randomBytes(32)],
    [-3, randomBytes(32)],
  ]);
}

function rsaKey(bits: number): Cbor {
  return new Map<Cbor, Cbor>([
    [1, 3],
    [3, -257],
    [-1, randomBytes(bits / 8)],
    [-2, Buffer.from([1, 0, 1])],
  ]);
}

describe('adding a passkey', () => {
  it('asks for the password, then for one that the authenticator keeps, and shows it on the account screen (B495)', async () => {
    await cookieOf(db, user);
    const authenticator = new Authenticator();
    const answer = await addPasskeyTo(cookie, authenticator, { isBackedUp: true }, "Ada's phone");
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/account']);
    expect(await toastAfter(answer)).toMatchObject({ title: 'Passkey added' });
    const { $ } = await documentAt('/account', await cookieOf(db, user));
    expect(textOf($('main'))).toMatch(/Ada's phone\s*Added .*, not used yet/);
    expect(await passkeysOf(db, user)).toMatchObject([
      { name: "Ada's phone", counter: '0', transports: ['internal', 'hybrid'], backed_up: true, last_used_at: null },
    ]);
    expect(await actionsAbout(db, user)).toEqual(['added passkey']);
    // Removing the passkey ends the session that added it, and no other.
    const ended = db.selectFrom('sessions').select('id').where('user_id', '=', user.id);
    expect(await ended.where('passkey_id', 'is not', null).execute()).toHaveLength(1);
    const there = { id: authenticator.id };
    const options = creationOptionsIn(await askForNewPasskey(await cookieOf(db, user)));
    expect(options).toMatchObject({
      ...{ rp: { id: 'localhost', name: 'Flightline' }, user: { name: user.username } },
      ...{ authenticatorSelection: { residentKey: 'required', userVerification: 'required' }, attestation: 'none' },
      excludeCredentials: [{ id: there.id }],
    });
  });

  it('refuses a wrong password, which counts as a failed sign-in, and a missing name (B495)', async () => {
    const wrong = await askForNewPasskey(cookie, 'not mine');
    expect([wrong.status, JSON.stringify(wrong.body)]).toEqual([
      400,
      expect.stringContaining('not your current password'),
    ]);
    const unnamed = await askForNewPasskey(cookie, PASSWORD, ' ');
    expect([unnamed.status, JSON.stringify(unnamed.body)]).toEqual([400, expect.stringContaining('give it a name')]);
    for (let guess = 0; guess < 9; guess += 1) await askForNewPasskey(cookie, 'not mine');
    expect((await askForNewPasskey(cookie)).status).toBe(429);
  });

  it('a passkey that is not what was asked for is refused in words (B496)', async () => {
    const lies: [string, Lies][] = [
      ['made at another origin', { origin: 'https://evil.example' }],
      ['made for another site', { rpId: 'evil.example' }],
      ['made for another challenge', { challenge: 'bm90IHRoaXM' }],
      ['that is a sign-in', { type: 'webauthn.get' }],
      ['made in a frame of another site', { crossOrigin: true }],
      ['whose user the authenticator has not verified', { isVerified: false }],
      ['with certificates', { withCertificate: true }],
      ['of a format that no browser sends here', { attestation: new Map([['fmt', 'tpm']]) }],
      ['with a key of an algorithm that was not asked for', { coseKey: ellipticKey(-47, 8) }],
      ['with an RSA key of 1,024 bits', { coseKey: rsaKey(1024) }],
      ['that is no attestation', { attestation: 'junk' }],
    ];
    for (const [what, lie] of lies) {
      const answer = await addPasskeyTo(await cookieOf(db, user), new Authenticator(), lie);
      expect(statusAndText(answer), what).toEqual([400, 'This passkey could not be added. Please try again.']);
    }
    expect(await passkeysOf(db, user)).toEqual([]);
  });

  nightly('an RSA key of 2,048 bits is taken, and ways that are not known left out (B496)', async () => {
    expect((await addPasskeyTo(await cookieOf(db, user), new Authenticator(), { coseKey: rsaKey(2048) })).status).toBe(
      303,
    );
    const answer = await addPasskeyTo(await cookieOf(db, user), new Authenticator(), {
      transports: ['internal', 'telepathy'],
    });
    expect(answer.status).toBe(303);
    expect(await passkeysOf(db, user)).toMatchObject([{}, { transports: [] }]);
  });

  nightly('a challenge is good for one attempt of the session that asked (B496)', async () => {
    const asked = await askForNewPasskey(cookie);
    const [first, second] = [new Authenticator(), new Authenticator()];
    const browser = cookiesAfter(cookie, asked);
    const other = await cookieOf(db, await makeUser(db, user.schoolId));
    expect(statusAndText(await sendNewPasskey(sessionCookieOf(asked), first.create(creationOptionsIn(asked))))).toEqual(
      [401, EXPIRED],
    );
    expect((await sendNewPasskey(browser, first.create(creationOptionsIn(asked)))).status).toBe(303);
    expect(statusAndText(await sendNewPasskey(browser, second.create(creationOptionsIn(asked))))).toEqual([
      401,
      EXPIRED,
    ]);
    const again = await askForNewPasskey(browser);
    const stolen = await sendNewPasskey(
      cookiesAfter(keptCookies(again), { headers: new Headers({ 'set-cookie': other }) }),
      second.create(creationOptionsIn(again)),
    );
    expect(stolen.status).toBe(401);
    expect(await db.selectFrom('passkeys').select('id').where('credential_id', '=', second.id).execute()).toEqual([]);
    cookie = await cookieOf(db, user);
    const anew = await askForNewPasskey(cookie);
    const response = new Authenticator().create(creationOptionsIn(anew));
    await db.updateTable('users').set({ password_generation: 1 }).where('id', '=', user.id).execute();
    expect((await sendNewPasskey(cookiesAfter(cookie, anew), response)).status).toBe(401);
    await revokeSessions(db, user);
    const signedOut = await sendNewPasskey(cookiesAfter(cookie, anew), response);
    expect([signedOut.status, signedOut.headers.get('location')]).toEqual([303, '/login?to=%2Faccount%2Fpasskey']);
    expect(await passkeysOf(db, user)).toHaveLength(1);
  });

  nightly('one that is there already, and a twenty-first, is refused with 409 (B496)', async () => {
    const authenticator = await makePasskey(db, user);
    const someone = await cookieOf(db, await makeUser(db, await makeSchool(db)));
    expect(statusAndText(await addPasskeyTo(someone, authenticator))).toEqual([409, 'This passkey is here already.']);
    const rows = Array.from({ length: 19 }, (_, at) => ({
      ...ROW,
      user_id: user.id,
      credential_id: `${user.id}-${at}`,
    }));
    await db.insertInto('passkeys').values(rows).execute();
    expect(statusAndText(await addPasskeyTo(cookie, new Authenticator()))).toEqual([
      409,
      'You can have at most 20 passkeys. Please remove one first.',
    ]);
  });
});

const post = (path: string, fields: Record<string, string>, as = cookie) => answerTo(formRequest(path, fields, as));
const statusFor = async (as: string) => (await answerTo(getRequest('/api/user', as))).status;
const removePasskey = (id: number | undefined, as = cookie) =>
  post('/account', { intent: 'remove-passkey', passkey: String(id), requestId: crypto.randomUUID() }, as);

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
