import { beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { makeAircraft, makeScene, makeUser, type Member, PASSWORD, testDatabase } from '#tests/support/makers.ts';
import { type Answer, answerTo, keptCookies, toastAfter } from '#tests/support/ask.ts';
import { cookieOf, formRequest, getRequest, jsonRequest } from '#tests/support/requests.ts';
import { nightly } from '#tests/support/takes-all.ts';
import { cleanUp } from '#app/background/recurring-jobs.server.ts';
import { mailJob } from '#app/domain/mail/mail-job.server.ts';
import { verifyPassword } from '#app/domain/people/passwords.server.ts';
import { DAY, HOUR, MINUTE, stopClock } from '#tests/support/clock.ts';
import { runNextJob } from '#tests/support/jobs.ts';
import { linkIn } from '#tests/support/read-mail.ts';

const { db, url } = await testDatabase();
const START = '2030-06-01T12:00:00.000Z';
const clock = await stopClock(url, START);
let schoolId: number, user: Member, boss: Member;
let nth = 0;
beforeEach(async () => {
  await clock.set(START);
  nth += 1;
  ({ schoolId, admin: boss, pilot: user } = await makeScene(db));
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

it('a repeated request gets the first answer for 48 hours, a toast waits two minutes (C58, C60)', async () => {
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
  const answer = await answerTo(formRequest('/logout', {}, await signIn()));
  const flash = answer.headers.getSetCookie().find((cookie) => cookie.startsWith('flightline-flash='));
  expect(flash).toMatch(/; Max-Age=120;/);
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

const postAs = async (path: string, fields: Record<string, string>, user?: Member) =>
  answerTo(formRequest(path, fields, user ? await cookieOf(db, user) : ''));
const getAs = async (path: string, user?: Member) => answerTo(getRequest(path, user ? await cookieOf(db, user) : ''));
const mails = () => db.selectFrom('mail_outbox').selectAll().where('school_id', '=', schoolId).orderBy('id').execute();

/** The token in the newest mail of the school that has one. */
async function mailedToken(): Promise<string> {
  const mail = (await mails()).findLast(({ body_text: text }) => text.includes('?token='));
  return new URL(linkIn({ text: mail?.body_text ?? '' }), 'http://x').searchParams.get('token') ?? '';
}

async function expectRefused(answer: Answer, words: string, leadsTo = '/auth'): Promise<void> {
  expect([answer.status, answer.headers.get('location')]).toEqual([303, leadsTo]);
  expect(await toastAfter(answer)).toMatchObject({ title: 'Error', text: words, tone: 'destructive' });
}

describe('an invitation lives seven days', () => {
  const guest = () => ({ name: 'Ben Aziz', email: `ben-${nth}@mail.example`, role: 'instructor' });
  const typed = (token: string) => ({ token, username: `ben ${nth}`, password: 'gull-9', confirmPassword: 'gull-9' });
  const byForm = (token: string) => postAs('/register', typed(token));
  const byCall = (token: string) =>
    answerTo(
      jsonRequest('POST', '/api/register', { invitationToken: token, username: `ben ${nth}`, password: 'gull-9' }),
    );
  const users = () => db.selectFrom('users').select('username').where('email', '=', guest().email).execute();
  const invited = async () => {
    await postAs('/users/invitations', guest(), boss);
    return mailedToken();
  };
  const list = z.object({ invitations: z.array(z.looseObject({ id: z.number() })) });
  const listed = async () => list.parse((await getAs('/users/invitations', boss)).body);

  it('a millisecond before the seven days are over, an invitation opens and registers (B066, B071, B247, B248, C22)', async () => {
    const token = await invited();
    await clock.pass(7 * DAY - 1);
    expect((await getAs(`/register?token=${token}`)).status).toBe(200);
    expect((await getAs(`/api/invitations/${token}`)).status).toBe(200);
    expect(await listed()).toMatchObject({ invitations: [{ expired: false }] });
    expect((await byCall(token)).status).toBe(201);
    expect(await users()).toHaveLength(1);
  });

  it('after exactly seven days neither page nor call opens it, no form registers, and the list says so (B065, C22)', async () => {
    const token = await invited();
    await clock.pass(7 * DAY);
    const words = 'Invalid or expired invitation';
    await expectRefused(await getAs(`/register?token=${token}`), words);
    expect(await getAs(`/api/invitations/${token}`)).toMatchObject({ status: 404, body: words });
    expect(await listed()).toMatchObject({ invitations: [{ expired: true }] });
    await expectRefused(await byForm(token), words);
    expect(await users()).toEqual([]);
  });

  it('the mail with an invitation names the moment at which it expires (C22)', async () => {
    await invited();
    expect((await mails()).at(-1)?.body_text).toContain('The link works once, until 8 Jun 2030, 12:00 UTC.');
  });

  nightly('sent again after six days, an invitation lives seven days more (C22, B223)', async () => {
    await invited();
    expect(await listed()).toMatchObject({ invitations: [{ sent: { text: '1 Jun 2030' } }] });
    const id = (await listed()).invitations[0]?.id;
    await clock.pass(6 * DAY);
    await postAs('/users/invitations', { intent: 'resend-invitation', invitationId: String(id) }, boss);
    const token = await mailedToken();
    expect(await listed()).toMatchObject({ invitations: [{ sent: { text: '7 Jun 2030' } }] });
    expect(await mails()).toHaveLength(1);
    expect(JSON.parse(String((await getAs('/api/invitations', boss)).body))).toMatchObject([
      { createdAt: START, sentAt: '2030-06-07T12:00:00.000Z' },
    ]);
    await clock.pass(7 * DAY - 1);
    expect((await getAs(`/register?token=${token}`)).status).toBe(200);
    await clock.pass(1);
    await expectRefused(await getAs(`/register?token=${token}`), 'Invalid or expired invitation');
  });

  nightly('the mail of an invitation is sent until it expires, and not after (C23)', async () => {
    for (const [life, times] of [
      [7 * DAY, 0],
      [7 * DAY - 1, 1],
    ] as const) {
      await db.deleteFrom('invitations').execute();
      await db.deleteFrom('mail_outbox').execute();
      await invited();
      await clock.pass(life);
      const sent = vi.fn(async () => undefined);
      await runNextJob(db, mailJob(db, sent));
      expect(sent).toHaveBeenCalledTimes(times);
    }
  });
});

const ordered = async (user: Member) => {
  await postAs('/users?index', { intent: 'send-password-link', userId: String(user.id) }, boss);
  return mailedToken();
};
const choose = (token: string) =>
  postAs('/reset-password', { token, password: 'another one', confirmPassword: 'another one' });
const fits = async (user: Member, password: string) => {
  const row = await db.selectFrom('users').select('password_hash').where('id', '=', user.id).executeTakeFirst();
  return verifyPassword(password, row?.password_hash);
};

it('a link sets the password until its day is over; after exactly a day the link neither opens nor does (C38)', async () => {
  const token = await ordered(user);
  await clock.pass(DAY - 1);
  expect((await getAs(`/reset-password?token=${token}`)).status).toBe(200);
  expect((await choose(token)).status).toBe(303);
  expect(await fits(user, 'another one')).toBe(true);
  const other = await makeUser(db, schoolId);
  const late = await ordered(other);
  await clock.pass(DAY);
  await expectRefused(await getAs(`/reset-password?token=${late}`), 'Invalid or expired link', '/forgot-password');
  await expectRefused(await choose(late), 'Invalid or expired link', '/forgot-password');
  expect([await fits(other, PASSWORD), await fits(other, 'another one')]).toEqual([true, false]);
});
