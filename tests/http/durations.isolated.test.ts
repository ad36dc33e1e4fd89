import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Member } from '#app/domain/actor.ts';
import { cleanUp } from '#app/background/recurring-jobs.server.ts';
import { keptCookies } from '#tests/support/answers.ts';
import { DAY, HOUR, MINUTE, stopClock } from '#tests/support/clock.ts';
import { testDatabase } from '#tests/support/database.ts';
import { formRequest, getRequest, jsonRequest } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeAircraft, makeSchool, makeUser, PASSWORD } from '#tests/support/school.ts';
import { nightly } from '#tests/support/takes-all.ts';

const { db, url } = await testDatabase();
const START = '2030-06-01T12:00:00.000Z';
const clock = await stopClock(url, START);
const schoolId = await makeSchool(db);

let user: Member;
beforeEach(async () => {
  await clock.set(START);
  user = await makeUser(db, schoolId);
});

const logIn = (more: object = {}) =>
  answerTo(jsonRequest('POST', '/api/login', { username: user.username, password: PASSWORD, ...more }));
const signIn = async (more: object = {}) => keptCookies(await logIn(more));
const get = (path: string, cookie: string) => answerTo(getRequest(path, cookie));
const statusFor = async (cookie: string) => (await get('/api/user', cookie)).status;

it('a session ends fourteen days after the last visit an hour after its renewal, to the millisecond (C26)', async () => {
  const [visited, left] = [await signIn(), await signIn()];
  await clock.pass(14 * DAY - 1);
  expect(await statusFor(visited)).toBe(200);
  await clock.pass(1);
  expect(await statusFor(left)).toBe(401);
  await clock.pass(14 * DAY - 2);
  expect(await statusFor(visited)).toBe(200);
  await clock.set(START);
  const [within, past] = [await signIn(), await signIn()];
  await clock.pass(HOUR);
  expect(await statusFor(within)).toBe(200);
  await clock.pass(1);
  expect(await statusFor(past)).toBe(200);
  await clock.pass(14 * DAY - HOUR - 1);
  expect([await statusFor(within), await statusFor(past)]).toEqual([401, 200]);
});

it('a session ends sixty days after it began, however often it is used, and is deleted a week later (C26)', async () => {
  const cookie = await signIn();
  for (const days of [13, 26, 39, 52]) {
    await clock.set(new Date(Date.parse(START) + days * DAY));
    expect(await statusFor(cookie)).toBe(200);
  }
  await clock.set(new Date(Date.parse(START) + 60 * DAY - 1));
  expect(await statusFor(cookie)).toBe(200);
  await clock.pass(1);
  expect(await statusFor(cookie)).toBe(401);
  const kept = () => db.selectFrom('sessions').select('id').where('user_id', '=', user.id).execute();
  await clock.set(new Date(Date.parse(START) + 67 * DAY));
  await cleanUp(db);
  expect(await kept()).toHaveLength(1);
  await clock.pass(1);
  await cleanUp(db);
  expect(await kept()).toEqual([]);
});

it('a session on a shared computer ends after eight hours, however often it is used (C26)', async () => {
  const cookie = await signIn({ sharedComputer: true });
  await clock.pass(7 * HOUR);
  expect(await statusFor(cookie)).toBe(200);
  await clock.pass(HOUR - 1);
  expect(await statusFor(cookie)).toBe(200);
  await clock.pass(1);
  expect(await statusFor(cookie)).toBe(401);
});

describe('the sign-in throttle', () => {
  const guess = async (password = 'wrong-password') => (await logIn({ password })).status;
  const fail = async (times: number) => {
    for (let nth = 0; nth < times; nth += 1) expect(await guess()).toBe(401);
  };

  it('ten failed sign-ins are taken within five minutes of the first, and then they count anew (C37)', async () => {
    await fail(1);
    await clock.pass(4 * MINUTE);
    await fail(9);
    expect(await guess(PASSWORD)).toBe(429);
    await clock.pass(MINUTE);
    expect(await guess(PASSWORD)).toBe(429);
    await clock.pass(1);
    await fail(10);
    expect(await guess(PASSWORD)).toBe(429);
  });
});

nightly('a toast waits two minutes for the next page (C60)', async () => {
  const answer = await answerTo(formRequest('/logout', {}, await signIn()));
  const flash = answer.headers.getSetCookie().find((cookie) => cookie.startsWith('flightline-flash='));
  expect(flash).toMatch(/; Max-Age=120;/);
});

describe('a draft', () => {
  const typed = { startHobbsTime: '12', startTachTime: 'x' };
  const rows = () => db.selectFrom('drafts').select('form').where('user_id', '=', user.id).execute();

  const checkOutDraft = z.object({ startHobbsTime: z.string() });
  const keptReading = async (cookie: string) => {
    const { body } = await get('/flight-log?step=1', cookie);
    return z.object({ view: z.object({ checkOutDraft }) }).parse(body).view.checkOutDraft.startHobbsTime;
  };

  it('a draft is offered for twelve hours from when it was typed last, to the millisecond, and deleted then (C57)', async () => {
    const cookie = await signIn();
    const aircraftId = String(await makeAircraft(db, schoolId));
    const keep = () =>
      answerTo(formRequest('/drafts', { typedForm: '/flight-log#read-meters', ...typed, aircraftId }, cookie));
    await keep();
    await clock.pass(HOUR);
    await keep();
    await clock.pass(12 * HOUR - 1);
    expect(await keptReading(cookie)).toBe('12');
    await clock.pass(1);
    expect(await keptReading(cookie)).toBe('');
    await keep();
    await clock.pass(12 * HOUR);
    await cleanUp(db);
    expect(await rows()).toHaveLength(1);
    await clock.pass(1);
    await cleanUp(db);
    expect(await rows()).toEqual([]);
  });
});

it('a repeated request gets the first answer for 48 hours, and is a new one after (C58)', async () => {
  const cookie = await signIn();
  const aircraftId = await makeAircraft(db, schoolId);
  const body = { aircraftId, startHobbsTime: '100.0', startTachTime: '90.0' };
  const start = async () =>
    (await answerTo(jsonRequest('POST', '/api/flight-logs', body, cookie, { 'idempotency-key': 'kept' }))).status;
  expect(await start()).toBe(201);
  await clock.pass(48 * HOUR);
  await cleanUp(db);
  expect(await start()).toBe(201);
  await clock.pass(1);
  await cleanUp(db);
  expect(await start()).toBe(409);
});

it('a pilot corrects their last flight until 48 hours after its check-in (C11)', async () => {
  const aircraftId = await makeAircraft(db, schoolId);
  const began = { aircraftId, startHobbsTime: '100.0', startTachTime: '90.0' };
  const started = await answerTo(jsonRequest('POST', '/api/flight-logs', began, await signIn()));
  const { id }: { id: number } = JSON.parse(String(started.body));
  await clock.pass(3 * HOUR);
  const ended = { endHobbsTime: '101.2', endTachTime: '91.0' };
  expect((await answerTo(jsonRequest('POST', `/api/flight-logs/${id}/complete`, ended, await signIn()))).status).toBe(
    200,
  );
  const offered = async () => (await get(`/flight-logs/${id}/correct`, await signIn())).status;
  await clock.pass(48 * HOUR - 1);
  expect(await offered()).toBe(200);
  await clock.pass(1);
  expect(await offered()).toBe(409);
});
