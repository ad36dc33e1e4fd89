import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import {
  type Answer,
  cookiesAfter,
  errorTextOf,
  keptCookies,
  sessionCookieOf,
  toastAfter,
} from '#tests/support/answers.ts';
import type { Cbor } from '#tests/support/attestation-certificate.ts';
import { Authenticator, type Lies } from '#tests/support/authenticator.ts';
import { testDatabase } from '#tests/support/database.ts';
import { documentAt, textOf } from '#tests/support/documents.ts';
import {
  actionsAbout,
  addPasskeyTo,
  askForNewPasskey,
  creationOptionsIn,
  makePasskey,
  passkeysOf,
  sendNewPasskey,
} from '#tests/support/passkeys.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeSchool, makeUser, PASSWORD } from '#tests/support/school.ts';
import { revokeSessions } from '#tests/support/sessions.ts';
import { nightly } from '#tests/support/takes-all.ts';

const { db } = await testDatabase();

let user: Member;
let cookie: string;
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
