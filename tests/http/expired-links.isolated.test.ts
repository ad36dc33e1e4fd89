import { beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { Member } from '#app/domain/actor.ts';
import { mailJob } from '#app/domain/mail/mail-job.server.ts';
import { verifyPassword } from '#app/domain/people/passwords.server.ts';
import { type Answer, toastAfter } from '#tests/support/answers.ts';
import { DAY, stopClock } from '#tests/support/clock.ts';
import { testDatabase } from '#tests/support/database.ts';
import { runNextJob } from '#tests/support/jobs.ts';
import { linkIn } from '#tests/support/read-mail.ts';
import { cookieOf, formRequest, getRequest, jsonRequest } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeSchool, makeUser, PASSWORD } from '#tests/support/school.ts';
import { nightly } from '#tests/support/takes-all.ts';

const { db, url } = await testDatabase();
const START = '2030-06-01T12:00:00.000Z';
const clock = await stopClock(url, START);

let schoolId: number;
let boss: Member;
let nth = 0;
beforeEach(async () => {
  await clock.set(START);
  nth += 1;
  schoolId = await makeSchool(db);
  boss = await makeUser(db, schoolId, 'administrator');
});

const post = async (path: string, fields: Record<string, string>, user?: Member) =>
  answerTo(formRequest(path, fields, user ? await cookieOf(db, user) : ''));
const get = async (path: string, user?: Member) => answerTo(getRequest(path, user ? await cookieOf(db, user) : ''));
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
  const byForm = (token: string) => post('/register', typed(token));
  const byCall = (token: string) =>
    answerTo(
      jsonRequest('POST', '/api/register', { invitationToken: token, username: `ben ${nth}`, password: 'gull-9' }),
    );
  const users = () => db.selectFrom('users').select('username').where('email', '=', guest().email).execute();
  const invited = async () => {
    await post('/users/invitations', guest(), boss);
    return mailedToken();
  };
  const list = z.object({ invitations: z.array(z.looseObject({ id: z.number() })) });
  const listed = async () => list.parse((await get('/users/invitations', boss)).body);

  it('a millisecond before the seven days are over, an invitation opens and registers (B066, B071, B247, B248, C22)', async () => {
    const token = await invited();
    await clock.pass(7 * DAY - 1);
    expect((await get(`/register?token=${token}`)).status).toBe(200);
    expect((await get(`/api/invitations/${token}`)).status).toBe(200);
    expect(await listed()).toMatchObject({ invitations: [{ expired: false }] });
    expect((await byCall(token)).status).toBe(201);
    expect(await users()).toHaveLength(1);
  });

  it('after exactly seven days neither page nor call opens it, no form registers, and the list says so (B065, C22)', async () => {
    const token = await invited();
    await clock.pass(7 * DAY);
    const words = 'Invalid or expired invitation';
    await expectRefused(await get(`/register?token=${token}`), words);
    expect(await get(`/api/invitations/${token}`)).toMatchObject({ status: 404, body: words });
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
    await post('/users/invitations', { intent: 'resend-invitation', invitationId: String(id) }, boss);
    const token = await mailedToken();
    expect(await listed()).toMatchObject({ invitations: [{ sent: { text: '7 Jun 2030' } }] });
    expect(await mails()).toHaveLength(1);
    expect(JSON.parse(String((await get('/api/invitations', boss)).body))).toMatchObject([
      { createdAt: START, sentAt: '2030-06-07T12:00:00.000Z' },
    ]);
    await clock.pass(7 * DAY - 1);
    expect((await get(`/register?token=${token}`)).status).toBe(200);
    await clock.pass(1);
    await expectRefused(await get(`/register?token=${token}`), 'Invalid or expired invitation');
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

describe('a password link lives one day', () => {
  const ordered = async (user: Member) => {
    await post('/users?index', { intent: 'send-password-link', userId: String(user.id) }, boss);
    return mailedToken();
  };
  const choose = (token: string) =>
    post('/reset-password', { token, password: 'another one', confirmPassword: 'another one' });
  const fits = async (user: Member, password: string) => {
    const row = await db.selectFrom('users').select('password_hash').where('id', '=', user.id).executeTakeFirst();
    return verifyPassword(password, row?.password_hash);
  };

  it('a link sets the password until its day is over; after exactly a day the link neither opens nor does (C38)', async () => {
    const user = await makeUser(db, schoolId);
    const token = await ordered(user);
    await clock.pass(DAY - 1);
    expect((await get(`/reset-password?token=${token}`)).status).toBe(200);
    expect((await choose(token)).status).toBe(303);
    expect(await fits(user, 'another one')).toBe(true);
    const other = await makeUser(db, schoolId);
    const late = await ordered(other);
    await clock.pass(DAY);
    await expectRefused(await get(`/reset-password?token=${late}`), 'Invalid or expired link', '/forgot-password');
    await expectRefused(await choose(late), 'Invalid or expired link', '/forgot-password');
    expect([await fits(other, PASSWORD), await fits(other, 'another one')]).toEqual([true, false]);
  });
});
