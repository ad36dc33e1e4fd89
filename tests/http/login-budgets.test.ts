import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeSchool, makeUser, type Member, PASSWORD, testDatabase } from '#tests/support/makers.ts';
import { answerTo, jsonRequest, keptCookies } from '#tests/support/ask.ts';
import { documentAfter, nightly } from '#tests/support/pages.ts';
import { takeBackLoginAttempt } from '#app/domain/people/login-budgets.server.ts';
import { usernameKey } from '#app/domain/people/username.ts';

const { db } = await testDatabase();
const schoolId = await makeSchool(db);
let user: Member;
beforeEach(async () => {
  await db.deleteFrom('login_attempts').execute();
  user = await makeUser(db, schoolId);
});

let hosts = 0;
const newAddress = () => `198.51.${(hosts += 1) >> 8}.${hosts & 255}`;

function signIn(password: string, { address = newAddress(), cookie = '', name = user.username, more = {} } = {}) {
  const body = { username: name, password, ...more };
  return answerTo(jsonRequest('POST', '/api/login', body, cookie, { 'x-client-address': address }));
}
const guess = async (options: Parameters<typeof signIn>[1] = {}) => (await signIn('wrong', options)).status;
const budget = (key: string) =>
  db.selectFrom('login_attempts').select('failures').where('key', '=', key).executeTakeFirst();
const used = (key: string, failures: number) => {
  const row = { failures, expires_at: sql<Date>`now() + interval '90 seconds'` };
  const insert = db.insertInto('login_attempts').values({ key, ...row });
  return insert.onConflict((conflict) => conflict.column('key').doUpdateSet(row)).execute();
};

/** As after a flood of guesses, some of them at the user's name. */
const flooded = async (name = user.username) => {
  await used('site:', 1000);
  await used(`name:${usernameKey(name)}`, 3);
};

it('of names tried from one address a hundred are checked; a late right sign-in takes back nothing anew (B418)', async () => {
  await used('site:', 0);
  await takeBackLoginAttempt(db, [
    { key: 'pair:nobody', failures: 10 },
    { key: 'site:', failures: 1000 },
  ]);
  expect(await budget('site:')).toEqual({ failures: 0 });
  const address = newAddress();
  await used(`address:${address}`, 99);
  const guesses = [await guess({ address, name: 'name 1' }), await guess({ address, name: 'name 2' })];
  expect([...guesses, await guess()]).toEqual([401, 429, 401]);
});

it('of guesses at one name from many addresses thirty are checked (B418)', async () => {
  await used(`name:${user.username}`, 28);
  expect([await guess(), await guess(), await guess()]).toEqual([401, 401, 429]);
});

it('past a thousand of the site three guesses at a name are checked (B418, B806)', async () => {
  await used('site:', 1000);
  expect([await guess(), await guess(), await guess(), await guess()]).toEqual([401, 401, 401, 429]);
  expect((await signIn(PASSWORD)).status).toBe(429);
  await used('site:', 999);
  expect([await guess(), await guess()], 'and until then all').toEqual([401, 429]);
});

it('past a thousand of the site three guesses of an address are checked (B418, B806)', async () => {
  await used('site:', 1000);
  const address = newAddress();
  const guesses = [];
  for (const name of ['a', 'b', 'c', 'd']) guesses.push(await guess({ address, name }));
  expect(guesses).toEqual([401, 401, 401, 429]);
  expect((await signIn(PASSWORD, { address })).status).toBe(429);
  expect((await signIn(PASSWORD)).status).toBe(200);
});

nightly('a guess that one budget refuses uses up no wider one (B418)', async () => {
  const address = newAddress();
  for (let count = 0; count < 20; count += 1) await guess({ address });
  expect(await budget('site:')).toEqual({ failures: 10 });
  expect(await budget(`address:${address}`)).toEqual({ failures: 10 });
  expect(await budget(`name:${user.username}`)).toEqual({ failures: 10 });
});

it('a right password uses up nothing; past a budget call and screen say how many seconds to wait (B418)', async () => {
  const address = newAddress();
  await guess({ address });
  expect((await signIn(PASSWORD, { address })).status).toBe(200);
  expect([await budget('site:'), await budget(`address:${address}`), await budget(`name:${user.username}`)]).toEqual(
    Array(3).fill({ failures: 1 }),
  );
  await flooded();
  const page = await documentAfter('/login', { username: user.username, password: PASSWORD }, '');
  for (const { headers, status } of [await signIn(PASSWORD), page]) {
    const seconds = Number(headers.get('retry-after'));
    expect([status, seconds > 0, seconds <= 90]).toEqual([429, true, true]);
  }
});

describe('a device where the user has signed in before', () => {
  it('lets the user in whatever strangers have guessed (B419)', async () => {
    const cookie = keptCookies(await signIn(PASSWORD));
    const address = newAddress();
    for (let count = 0; count < 11; count += 1) await guess({ address });
    await flooded();
    expect((await signIn(PASSWORD, { address })).status).toBe(429);
    expect((await signIn(PASSWORD, { address, cookie })).status).toBe(200);
  });

  it('has ten guesses of its own, from whatever address (B419)', async () => {
    const cookie = keptCookies(await signIn(PASSWORD));
    const statuses = [];
    for (let count = 0; count < 12; count += 1) statuses.push(await guess({ cookie }));
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
    expect(await guess()).toBe(401);
  });

  it('is known to the users who signed in there, and to no other (B419)', async () => {
    const other = await makeUser(db, schoolId);
    const first = keptCookies(await signIn(PASSWORD));
    await flooded(other.username);
    expect((await signIn(PASSWORD, { cookie: first, name: other.username })).status).toBe(429);
    await db.deleteFrom('login_attempts').execute();
    const both = keptCookies(await signIn(PASSWORD, { cookie: first, name: other.username }));
    await flooded();
    for (const name of [user.username, other.username, ` ${user.username.toUpperCase()}`])
      expect((await signIn(PASSWORD, { cookie: both, name })).status).toBe(200);
  });

  nightly('is none by a forged cookie, nor a shared computer (B419)', async () => {
    const cookie = keptCookies(await signIn(PASSWORD));
    const shared = keptCookies(await signIn(PASSWORD, { more: { sharedComputer: true } }));
    expect(shared).not.toContain('flightline-device');
    await flooded();
    expect((await signIn(PASSWORD, { cookie: `${cookie.slice(0, -4)}AAAA` })).status).toBe(429);
    expect((await signIn(PASSWORD, { cookie: shared })).status).toBe(429);
  });
});
