import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ageProof, makeSchool, makeUser, type Member, PASSWORD, testDatabase } from '#tests/support/makers.ts';
import { type Answer, answerTo, keptCookies, sessionCookieOf } from '#tests/support/ask.ts';
import { cookieOf, formRequest, getRequest, jsonRequest } from '#tests/support/requests.ts';
import { documentAt, nightly, textOf } from '#tests/support/pages.ts';
import { replaceRecoveryCodes } from '#app/domain/people/second-factor/change-second-factor.server.ts';
import { deleteSetupSecrets, findOrCreateSetupSecret } from '#app/domain/people/second-factor/factor-keys.server.ts';
import {
  consumeCode,
  generateRecoveryCodes,
  deleteSecondFactor,
  findSecondFactor,
} from '#app/domain/people/second-factor/second-factors.server.ts';
import { insertSession } from '#app/domain/people/sessions.server.ts';
import { SECOND_STEP_LIFE_S } from '#app/limits.ts';
import { codeFrom, makeSecondFactor } from '#tests/support/second-factor.ts';

const { db } = await testDatabase();

const STEP_MS = 30_000;

// A code must not go out of date between the app and the server.
const STEP_START = Math.floor(Date.now() / STEP_MS) * STEP_MS;
vi.useFakeTimers({ toFake: ['Date'], now: STEP_START });
const HERE = { network: '192.0.2.1' };
const secondsPass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);
afterAll(() => vi.useRealTimers());

let user: Member;
beforeEach(async () => {
  vi.setSystemTime(STEP_START);
  user = await makeUser(db, await makeSchool(db), 'administrator');
});

const post = (path: string, fields: Record<string, string>, cookie: string) =>
  answerTo(formRequest(path, fields, cookie));
const renewed = new Map<string, string>();
/** What the browser has now that began with this cookie: each right password renews it. */
const own = (cookie: string): string => (renewed.has(cookie) ? own(String(renewed.get(cookie))) : cookie);
const change = async (intent: string, code: string, cookie: string, currentPassword = PASSWORD) => {
  const answer = await post('/account/second-factor', { intent, code, currentPassword }, own(cookie));
  if (sessionCookieOf(answer) !== '') renewed.set(own(cookie), sessionCookieOf(answer));
  return answer;
};
const enterPassword = () => post('/login?to=/users', { username: user.username, password: PASSWORD }, '');
const enterCode = (code: string, cookie: string) => post('/login/code?to=/users', { code }, cookie);
const statusFor = async (cookie: string) => (await answerTo(getRequest('/api/user', own(cookie)))).status;
const keyFor = async (as: string) => textOf((await documentAt('/account/second-factor', own(as))).$('code.secret'));
const codesIn = ({ body }: Answer) => (body as { recoveryCodes: string[] }).recoveryCodes;
const byCall = (more: object) =>
  answerTo(jsonRequest('POST', '/api/login', { username: user.username, password: PASSWORD, ...more }));

async function turnOn(cookie: string): Promise<{ key: string; codes: string[] }> {
  const key = textOf((await documentAt('/account/second-factor', own(cookie))).$('code.secret'));
  const answer = await change('add', codeFrom(key), cookie);
  expect(answer.status).toBe(200);
  return { key, codes: codesIn(answer) };
}

describe('the set-up of a second factor', () => {
  it('shows a key as text, as a QR code and as an otpauth address, and asks for a code of it (B489)', async () => {
    const { $ } = await documentAt('/account/second-factor', await cookieOf(db, user));
    const key = textOf($('code.secret'));
    expect(key).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
    const { searchParams } = new URL(String($('a[href^="otpauth:"]').attr('href')));
    const said = { secret: key.replaceAll(' ', ''), issuer: 'Flightline' };
    expect(Object.fromEntries(searchParams)).toMatchObject(said);
    expect($('svg[role=img] path').attr('d')).toMatch(/^M0 \.5m4 4h7m/);
  });

  it('is done by a right code and the password, ends other sessions, and shows ten recovery codes once (B489)', async () => {
    const [cookie, phone] = [await cookieOf(db, user), await cookieOf(db, user)];
    const first = await keyFor(cookie);
    expect((await change('add', codeFrom(first, 9), cookie)).status).toBe(400);
    expect(await keyFor(cookie)).toBe(first);
    const { key, codes } = await turnOn(cookie);
    expect([key, new Set(codes).size]).toEqual([first, 10]);
    expect((await change('add', codeFrom(first), cookie)).status).toBe(409);
    await expect(consumeCode(db, user.id, codeFrom(key), HERE)).rejects.toMatchObject({ code: 'unauthorized' });
    for (const code of codes) expect(code).toMatch(/^([a-z2-7]{4}-){5}[a-z2-7]{4}$/);
    expect([await statusFor(cookie), await statusFor(phone)]).toEqual([200, 401]);
    const { $ } = await documentAt('/account/second-factor', own(cookie));
    expect(textOf($('main'))).toContain('10 unused recovery codes');
    for (const code of codes) expect($.html()).not.toContain(code);
    const stored = await db.selectFrom('recovery_codes').select('code_hash').execute();
    expect(JSON.stringify(stored)).not.toMatch(new RegExp(codes.join('|')));
  });

  it('shows the key for 15 minutes after the password, and a new one each time it is entered again (B1234)', async () => {
    const cookie = await cookieOf(db, user);
    const first = await keyFor(cookie);
    await ageProof(db, user, 15);
    expect(await keyFor(cookie)).toBe('');
    expect((await change('add', codeFrom(first), cookie)).status).toBe(409);
    expect((await change('begin', '', cookie, 'not mine')).status).toBe(400);
    expect(await keyFor(cookie)).toBe('');
    expect((await change('begin', '', cookie)).headers.get('location')).toBe('/account/second-factor');
    const second = await keyFor(cookie);
    expect([second, second === first]).toEqual([expect.stringMatching(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/), false]);
    expect((await change('add', codeFrom(first), cookie)).status).toBe(400);
    expect((await change('add', codeFrom(second), cookie)).status).toBe(200);
  });

  it('makes email and passkeys change with a code alone (B1235)', async () => {
    await makeSecondFactor(db, user);
    const cookie = await cookieOf(db, user);
    const email = { email: `new-${user.id}@b.example`, currentPassword: PASSWORD };
    const passkey = { intent: 'ask', name: 'Key', currentPassword: PASSWORD };
    let latest = cookie;
    const send = async (path: string, fields: Record<string, string>) => {
      const answer = await post(path, fields, latest);
      latest = sessionCookieOf(answer) || latest;
      return answer.status;
    };
    expect((await documentAt('/account/email', latest)).$('input[name=code]')).toHaveLength(1);
    for (const [path, fields] of [['/account/email', email] as const, ['/account/passkey', passkey] as const]) {
      expect([path, await send(path, fields)]).toEqual([path, 400]);
      expect([path, await send(path, { ...fields, code: '000000' })]).toEqual([path, 401]);
    }
    expect(await send('/account/email', { ...email, code: codeFrom() })).toBe(303);
    expect(await send('/account/passkey', { ...passkey, code: codeFrom() })).toBe(401);
    secondsPass(30);
    expect(await send('/account/passkey', { ...passkey, code: codeFrom() })).toBe(200);
  });

  nightly('has a key of its own each time, in the same session, too, and one key in two tabs (B489)', async () => {
    const cookie = await cookieOf(db, user);
    const [first, inOtherTab] = await Promise.all([keyFor(cookie), keyFor(cookie)]);
    expect(inOtherTab).toBe(first);
    expect(await keyFor(await cookieOf(db, user))).not.toBe(first);
    const { codes } = await turnOn(cookie);
    await change('remove', codes[0] ?? '', cookie);
    expect(await keyFor(cookie)).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
    expect(await keyFor(cookie)).not.toBe(first);
  });
});

nightly('a right code takes back the wrong ones before it (B490, B418)', async () => {
  const { codes } = await turnOn(await cookieOf(db, user));
  const guess = () => consumeCode(db, user.id, '000000', HERE).catch(({ code }: { code: string }) => code);
  for (let count = 0; count < 9; count += 1) expect(await guess()).toBe('unauthorized');
  expect(await consumeCode(db, user.id, codes[0] ?? '', HERE)).toBe('recovery code');
  expect([await guess(), await guess()]).toEqual(['unauthorized', 'unauthorized']);
});

nightly('a code is good for its own user, and leaves the codes of others good (B490, B492)', async () => {
  const other = await makeUser(db, user.schoolId);
  const [{ key }, others] = [await turnOn(await cookieOf(db, user)), generateRecoveryCodes()];
  await makeSecondFactor(db, other);
  const rows = others.hashes.map((code_hash) => ({ user_id: other.id, code_hash }));
  await db.insertInto('recovery_codes').values(rows).execute();
  const [foreign = ''] = others.codes;
  await expect(consumeCode(db, user.id, foreign, HERE)).rejects.toMatchObject({ code: 'unauthorized' });
  expect(await consumeCode(db, other.id, foreign, HERE)).toBe('recovery code');
  secondsPass(30);
  expect(await consumeCode(db, user.id, codeFrom(key), HERE)).toBe('app code');
  expect(await consumeCode(db, other.id, codeFrom(), HERE)).toBe('app code');
  await db.transaction().execute((trx) => deleteSecondFactor(trx, other.id));
  expect(await findSecondFactor(db, user.id)).toMatchObject({ unusedRecoveryCodes: 10 });
});

nightly('recovery codes stay where the password was changed after it was entered (B492, B414)', async () => {
  await turnOn(await cookieOf(db, user));
  await cookieOf(db, user);
  const verified = { userId: user.id, passwordGeneration: 0 };
  await db.updateTable('users').set({ password_generation: 1 }).where('id', '=', user.id).execute();
  const { id: sessionId } = await liveSession();
  const replacing = replaceRecoveryCodes(db, { ...user, sessionId }, { codeHashes: ['new'], verified });
  await expect(replacing).rejects.toMatchObject({ code: 'unauthorized' });
  const stored = await db.selectFrom('recovery_codes').where('user_id', '=', user.id).select('code_hash').execute();
  expect(stored).toHaveLength(10);
});

nightly('an ended session is given no key, and a set-up given up is not that of another (B489)', async () => {
  const other = await makeUser(db, user.schoolId);
  const cookies = [await cookieOf(db, user), await cookieOf(db, other)];
  const keys = () => Promise.all(cookies.map(keyFor));
  const [own, foreign] = await keys();
  await db.transaction().execute((trx) => deleteSetupSecrets(trx, user.id));
  expect(await keys()).toEqual([expect.not.stringMatching(own ?? ''), foreign]);
  const { id: sessionId } = await liveSession();
  expect(await findOrCreateSetupSecret(db, { ...user, sessionId })).toMatch(/^[A-Z2-7]{32}$/);
  await db.updateTable('sessions').set({ revoked_at: new Date() }).where('id', '=', sessionId).execute();
  expect(await findOrCreateSetupSecret(db, { ...user, sessionId })).toBeUndefined();
});

const liveSession = () =>
  db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', user.id)
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow();

describe('a sign-in with a second factor', () => {
  beforeEach(() => makeSecondFactor(db, user));

  it('asks for a code after the password, and starts a session only then (B490)', async () => {
    const asked = await enterPassword();
    expect([asked.status, asked.headers.get('location')]).toEqual([303, '/login/code?to=%2Fusers']);
    expect(sessionCookieOf(asked)).toBe('');
    expect(await statusFor(keptCookies(asked))).toBe(401);
    const { $ } = await documentAt('/login/code', keptCookies(asked));
    expect($('input[name=code]').attr('autocomplete')).toBe('one-time-code');
    const answer = await enterCode(codeFrom(), keptCookies(asked));
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/users']);
    expect(await statusFor(sessionCookieOf(answer))).toBe(200);
  });

  it('takes a code of now, of thirty seconds ago and of the next ones, each once and in their order (B490)', async () => {
    const cookie = keptCookies(await enterPassword());
    for (const steps of [-2, 2]) expect((await enterCode(codeFrom(undefined, steps), cookie)).status).toBe(401);
    const code = codeFrom(undefined, -1);
    expect((await enterCode(`${code.slice(0, 3)} ${code.slice(3)}`, cookie)).status).toBe(303);
    const replayed = await enterCode(code, cookie);
    expect([replayed.status, JSON.stringify(replayed.body)]).toEqual([401, expect.stringContaining('used already')]);
    expect((await enterCode(codeFrom(undefined, 1), cookie)).status).toBe(303);
    for (const steps of [-1, 0, 1]) expect((await enterCode(codeFrom(undefined, steps), cookie)).status).toBe(401);
    secondsPass(119.999);
    expect((await enterCode(codeFrom(undefined, -1), cookie)).status).toBe(303);
    expect((await enterCode(codeFrom(), cookie)).status).toBe(303);
  });

  it('of two sign-ins at once with the same code one gets in (B490)', async () => {
    const cookie = keptCookies(await enterPassword());
    const statuses = await Promise.all([1, 2, 3, 4].map(async () => (await enterCode(codeFrom(), cookie)).status));
    expect(statuses.toSorted()).toEqual([303, 401, 401, 401]);
  });

  nightly('leads back to the password without one, with a forged one, and after ten minutes (B490)', async () => {
    const cookie = keptCookies(await enterPassword());
    secondsPass(SECOND_STEP_LIFE_S + 1);
    for (const pending of ['', 'flightline-sign-in=eyJ1c2VySWQiOjF9', cookie]) {
      const answer = await enterCode(codeFrom(), pending);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login']);
    }
    const { status, headers } = await answerTo(getRequest('/login/code?to=%2Fusers'));
    expect([status, headers.get('location')]).toEqual([302, '/login?to=%2Fusers']);
  });

  nightly('wrong codes are counted, whatever right passwords come between (B490, B418)', async () => {
    for (let guess = 0; guess < 10; guess += 1) {
      expect((await enterCode('000000', keptCookies(await enterPassword()))).status).toBe(401);
    }
    const answer = await enterCode(codeFrom(), keptCookies(await enterPassword()));
    expect([answer.status, Number(answer.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
  });

  it('POST /api/login asks for the code with 401 and takes it beside the password (B491)', async () => {
    expect(await byCall({})).toMatchObject({ status: 401, body: 'Please enter the code of your second factor, too.' });
    expect((await byCall({ code: '000000' })).status).toBe(401);
    const answer = await byCall({ code: codeFrom() });
    expect([answer.status, JSON.parse(String(answer.body))]).toEqual([200, expect.objectContaining({ id: user.id })]);
    expect(await statusFor(sessionCookieOf(answer))).toBe(200);
  });

  it('no session starts without a code, wherever a password was verified before the factor was added (B490)', async () => {
    const early = { userId: user.id, passwordGeneration: 0 };
    await expect(insertSession(db, `early ${user.id}`, early)).rejects.toMatchObject({ code: 'unauthorized' });
  });
});

describe('recovery codes', () => {
  it('each gets in once, in whatever case and spacing, in place of a code (B492)', async () => {
    const { codes } = await turnOn(await cookieOf(db, user));
    const [code = ''] = codes;
    const cookie = keptCookies(await enterPassword());
    expect((await enterCode(` ${code.toUpperCase().replaceAll('-', ' ')} `, cookie)).status).toBe(303);
    expect((await enterCode(code, cookie)).status).toBe(401);
    const { $ } = await documentAt('/account/second-factor', await cookieOf(db, user));
    expect(textOf($('main'))).toContain('9 unused recovery codes');
  });

  it('are replaced by new ones with password and code (B492)', async () => {
    const cookie = await cookieOf(db, user);
    const { key, codes } = await turnOn(cookie);
    expect((await change('new-codes', '000000', cookie)).status).toBe(401);
    secondsPass(30);
    const fresh = codesIn(await change('new-codes', codeFrom(key), cookie));
    expect(fresh).toHaveLength(10);
    const pending = keptCookies(await enterPassword());
    expect((await enterCode(codes[0] ?? '', pending)).status).toBe(401);
    expect((await enterCode(fresh[0] ?? '', pending)).status).toBe(303);
  });

  it('remove the factor with the password, after which the password is enough (B492)', async () => {
    const cookie = await cookieOf(db, user);
    const { codes } = await turnOn(cookie);
    const phone = await cookieOf(db, user);
    expect((await change('remove', codes[0] ?? '', cookie, 'not mine')).status).toBe(400);
    const answer = await change('remove', codes[0] ?? '', cookie);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/account']);
    expect([await statusFor(cookie), await statusFor(phone)]).toEqual([200, 401]);
    expect((await byCall({})).status).toBe(200);
  });
});

describe('a school that asks its administrators for a second factor', () => {
  const settings = { name: 'Cascade', address: '1 Field Road', phone: '555 0100' };
  const ask = async (cookie: string) =>
    post('/school-settings', { ...settings, administratorsNeedSecondFactor: 'on' }, cookie);

  it('leads an administrator without one to set it up before anything else, and refuses calls in words (B493)', async () => {
    const cookie = await cookieOf(db, user);
    expect((await ask(cookie)).status).toBe(303);
    for (const path of ['/', '/users', '/account', '/school-settings']) {
      const { status, headers } = await answerTo(getRequest(path, cookie));
      expect([path, status, headers.get('location')]).toEqual([path, 302, '/account/second-factor']);
    }
    expect((await post('/users/add', {}, cookie)).headers.get('location')).toBe('/account/second-factor');
    expect(await answerTo(getRequest('/api/aircraft', cookie))).toMatchObject({
      status: 403,
      body: expect.stringContaining('set it up first'),
    });
    await turnOn(cookie);
    expect((await answerTo(getRequest('/users', own(cookie)))).status).toBe(200);
  });

  nightly('asks nothing of others, and a call for the school leaves the setting as it is (B493)', async () => {
    const cookie = await cookieOf(db, user);
    await ask(cookie);
    const elsewhere = await makeUser(db, await makeSchool(db), 'administrator');
    for (const other of [await makeUser(db, user.schoolId, 'instructor'), await makeUser(db, user.schoolId), elsewhere])
      expect((await answerTo(getRequest('/users', await cookieOf(db, other)))).status).toBe(200);
    await turnOn(cookie);
    await answerTo(jsonRequest('PUT', '/api/flight-school', settings, own(cookie)));
    const isAsked = async () => {
      const { $ } = await documentAt('/school-settings', own(cookie));
      return $('input[name=administratorsNeedSecondFactor]').is('[checked]');
    };
    expect(await isAsked()).toBe(true);
    await post('/school-settings', settings, own(cookie));
    expect(await isAsked()).toBe(false);
  });
});
