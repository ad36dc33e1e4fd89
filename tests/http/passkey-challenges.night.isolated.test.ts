import { sql } from 'kysely';
import { afterAll, expect, it, vi } from 'vitest';
import { deleteUsedPasskeyChallenges } from '#app/domain/people/passkeys/verify-passkey.server.ts';
import { cookieOf, cookiesAfter } from '#tests/support/ask.ts';
import { makeSchool, makeUser, testDatabase } from '#tests/support/makers.ts';
import { Authenticator } from '#tests/support/authenticator.ts';
import {
  askForNewPasskey,
  askToSignIn,
  creationOptionsIn,
  makePasskey,
  sendAssertion,
  sendNewPasskey,
  signInWith,
} from '#tests/support/passkeys.ts';

const { db } = await testDatabase();
const user = await makeUser(db, await makeSchool(db));
const authenticator = await makePasskey(db, user);

vi.useFakeTimers({ toFake: ['Date'] });
const secondsPass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);
afterAll(() => vi.useRealTimers());

it.each([
  [299, 200],
  [300, 401],
])('a sign-in %d seconds after its challenge was given is answered with %d (B498)', async (seconds, status) => {
  const { options, cookie } = await askToSignIn();
  secondsPass(seconds);
  expect((await sendAssertion(authenticator.get(options), cookie)).status).toBe(status);
});

it.each([
  [299, 303],
  [300, 401],
])('a passkey made %d seconds after its challenge was given is answered with %d (B496)', async (seconds, status) => {
  const cookie = await cookieOf(db, user);
  const asked = await askForNewPasskey(cookie);
  secondsPass(seconds);
  const response = new Authenticator().create(creationOptionsIn(asked));
  expect((await sendNewPasskey(cookiesAfter(cookie, asked), response)).status).toBe(status);
});

it('used challenges are kept until their cookies are too old, and then deleted (B498)', async () => {
  await signInWith(authenticator);
  const used = () => db.selectFrom('used_passkey_challenges').select('challenge').execute();
  const before = await used();
  const minutesPass = (minutes: number) => {
    const expires_at = sql<Date>`expires_at - ${minutes}::integer * interval '1 minute'`;
    return db.updateTable('used_passkey_challenges').set({ expires_at }).execute();
  };
  await minutesPass(5);
  await deleteUsedPasskeyChallenges(db);
  expect(await used()).toEqual(before);
  await minutesPass(6);
  await deleteUsedPasskeyChallenges(db);
  expect([before.length > 0, await used()]).toEqual([true, []]);
});
