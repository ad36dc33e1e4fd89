import { beforeEach, describe, expect, it } from 'vitest';
import { makeSchool, makeUser, type Member, PASSWORD, testDatabase } from '#tests/support/makers.ts';
import { answerTo, cookieOf, formRequest, jsonRequest, pendingCookieOf, sessionCookieOf } from '#tests/support/ask.ts';
import { serializeDeviceOfUser } from '#app/server/session/known-device.server.ts';
import { codeFrom, makeSecondFactor } from '#tests/support/second-factor.ts';

const { db } = await testDatabase();
const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;

let owner: Member;
beforeEach(async () => {
  await db.deleteFrom('login_attempts').execute();
  owner = await makeUser(db, await makeSchool(db));
  await makeSecondFactor(db, owner);
});

async function enter(code: string, { address = '203.0.113.9', device = '' } = {}) {
  const cookie = [await pendingCookieOf(owner), device].filter(Boolean).join('; ');
  const request = formRequest('/login/code', { code }, cookie);
  request.headers.set('x-client-address', address);
  return answerTo(request);
}

/** Ten wrong codes, and the seconds for which the next one is refused. */
async function guessTen(address?: string): Promise<number> {
  for (let n = 0; n < 10; n += 1) expect((await enter('000000', { address })).status).toBe(401);
  const refused = await enter(codeFrom(), { address });
  expect(refused.status).toBe(429);
  return Number(refused.headers.get('retry-after'));
}

/** Lets every count end whose end is so many seconds away at most. */
async function pass(seconds: number) {
  const end = new Date(Date.now() + (seconds + 5) * 1000);
  const past = new Date(Date.now() - 1000);
  await db.updateTable('login_attempts').set({ expires_at: past }).where('expires_at', '<=', end).execute();
}

describe('wrong codes', () => {
  it('lock for 5 minutes, then 15, an hour, four hours and a day, each time after ten more (B1291)', async () => {
    const locks = [];
    for (let round = 0; round < 6; round += 1) {
      const seconds = await guessTen();
      locks.push(seconds);
      // The other budget of the account is left out here.
      await db.deleteFrom('login_attempts').where('key', '=', `code:${owner.id}`).execute();
      await pass(seconds);
    }
    const day = 24 * HOUR_S;
    expect(locks).toEqual([5 * MINUTE_S, 15 * MINUTE_S, HOUR_S, 4 * HOUR_S, day, day]);
  });

  it('count together all day, so that nine in five minutes are no way around it, by call neither (B1291)', async () => {
    for (let n = 0; n < 9; n += 1) await enter('000000');
    await pass(5 * MINUTE_S);
    expect((await enter('000000')).status).toBe(401);
    const refused = await enter(codeFrom());
    expect(refused.status).toBe(429);
    expect(JSON.stringify(refused.body)).toContain('Too many wrong codes. Please wait 5 minutes.');
    expect((await enter(codeFrom())).status).toBe(429);
    const login = { username: owner.username, password: PASSWORD, code: codeFrom() };
    const answer = await answerTo(jsonRequest('POST', '/api/login', login, '', { 'x-client-address': '203.0.113.9' }));
    expect([answer.status, answer.body]).toEqual([
      429,
      expect.stringContaining('Too many wrong codes. Please wait 5 minutes.'),
    ]);
  });

  it('of thirty networks together lock the account, too, but not for a device that its owner knows (B1291)', async () => {
    for (let n = 0; n < 30; n += 1) await enter('000000', { address: `198.51.100.${n}` });
    expect((await enter(codeFrom(), { address: '198.51.100.99' })).status).toBe(429);
    const device = (await serializeDeviceOfUser(owner.username)).split(';')[0] ?? '';
    expect((await enter('000000', { device })).status).toBe(401);
    expect((await enter(codeFrom(), { device })).status).toBe(303);
  });

  it('of a stranger in the owner’s own network lock out neither a known device nor who is signed in on it (B1291)', async () => {
    await guessTen();
    const device = (await serializeDeviceOfUser(owner.username)).split(';')[0] ?? '';
    expect((await enter(codeFrom(), { device })).status).toBe(303);
    const session = await cookieOf(db, owner);
    const email = { email: `new-${owner.id}@b.example`, currentPassword: PASSWORD, code: '000000' };
    const asked = await answerTo(formRequest('/account/email', email, `${session}; ${device}`));
    expect([asked.status, sessionCookieOf(asked) === '']).toEqual([401, false]);
  });

  it('are forgotten with their locks after a right code (B1291)', async () => {
    await pass(await guessTen());
    expect((await enter(codeFrom())).status).toBe(303);
    await db.updateTable('second_factors').set({ last_step: 0 }).execute();
    expect(await guessTen()).toBe(5 * MINUTE_S);
  });
});
