import { beforeEach, expect, it } from 'vitest';
import { makeSchool, makeUser, type Member, PASSWORD, testDatabase } from '#tests/support/makers.ts';
import { answerTo, call, cookieOf, formRequest, getRequest, toastAfter } from '#tests/support/ask.ts';
import { nightly } from '#tests/support/takes-all.ts';
import { verifyPassword } from '#app/domain/people/passwords.server.ts';
import { action as usersAction } from '#app/routes/users._index/route.tsx';
import { withMailServer } from '#tests/support/mail-server-setting.ts';
import { linkIn } from '#tests/support/read-mail.ts';

const { db } = await testDatabase();
const schoolId = await makeSchool(db, { name: 'Sound Aviation' });
const boss = await makeUser(db, schoolId, 'administrator');
const admin = await cookieOf(db, boss);

let user: Member;
beforeEach(async () => {
  user = await makeUser(db, schoolId);
});

const order = (id: number | string, more: object = {}) =>
  answerTo(formRequest('/users?index', { intent: 'send-password-link', userId: String(id), ...more }, admin));
const page = (search: string, cookie = '') => answerTo(getRequest(`/reset-password${search}`, cookie));
const post = (token: string, more: object = {}) =>
  answerTo(formRequest('/reset-password', { token, password: 'new secret', confirmPassword: 'new secret', ...more }));
const mailsTo = ({ email }: Member) =>
  db.selectFrom('mail_outbox').selectAll().where('to_address', '=', email).execute();
const fits = async (password: string) => {
  const row = await db.selectFrom('users').select('password_hash').where('id', '=', user.id).executeTakeFirst();
  return verifyPassword(password, row?.password_hash);
};

async function newToken(): Promise<string> {
  await order(user.id);
  const [mail] = await mailsTo(user);
  return new URL(linkIn({ text: mail?.body_text ?? '' }), 'http://x').searchParams.get('token') ?? '';
}

async function expectRefusedLink(answer: Awaited<ReturnType<typeof page>>) {
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/forgot-password']);
  expect(await toastAfter(answer)).toMatchObject({ title: 'Error', text: 'Invalid or expired link' });
}

it('a password link is mailed once, however often it is sent; a new form ends the former link (C38, C58)', async () => {
  withMailServer();
  const answer = await order(user.id);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/users']);
  expect(await toastAfter(answer)).toMatchObject({
    title: 'Password link sent',
    text: expect.stringContaining(user.email),
  });
  const [mail] = await mailsTo(user);
  expect(mail?.subject).toBe('A new password for Sound Aviation');
  expect(mail?.body_text).toContain(`Your username is ${user.username}.`);
  expect(await fits(PASSWORD)).toBe(true);
  const requestId = crypto.randomUUID();
  for (const _ of [1, 2]) await order(user.id, { requestId });
  expect(await mailsTo(user)).toHaveLength(1);
  const former = await newToken();
  const latest = await newToken();
  expect(await mailsTo(user)).toHaveLength(1);
  await expectRefusedLink(await page(`?token=${former}`));
  expect((await page(`?token=${latest}`)).status).toBe(200);
});

it('without a mail server a link is given to copy; a new password ends its user’s sessions alone (B550, C38)', async () => {
  const toast = await toastAfter(await order(user.id));
  expect(toast).toMatchObject({
    title: 'Password link sent',
    link: expect.stringContaining('/reset-password?token='),
  });
  expect(toast).not.toHaveProperty('text');
  const token = await newToken();
  const [phone, desk] = [await cookieOf(db, user), await cookieOf(db, user)];
  const answer = await post(token);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/auth']);
  expect(await toastAfter(answer)).toMatchObject({ title: 'Success', text: 'Password saved! You can now log in.' });
  expect([await fits('new secret'), await fits(PASSWORD)]).toEqual([true, false]);
  const statusFor = async (cookie: string) => (await answerTo(getRequest('/api/user', cookie))).status;
  expect([await statusFor(phone), await statusFor(desk), await statusFor(admin)]).toEqual([401, 401, 200]);
});

it('a password link works once; the same form sent twice is answered the same (C38)', async () => {
  const token = await newToken();
  const other = await makeUser(db, schoolId);
  await order(other.id);
  const requestId = crypto.randomUUID();
  for (const _ of [1, 2])
    expect(await toastAfter(await post(token, { requestId }))).toMatchObject({ title: 'Success' });
  await expectRefusedLink(await post(token, { password: 'third one', confirmPassword: 'third one' }));
  expect(await fits('new secret')).toBe(true);
  const used = db.selectFrom('password_links').select('used_at').where('user_id', '=', other.id);
  expect(await used.execute()).toEqual([{ used_at: null }]);
});

nightly('of twenty new passwords at once by one link, one is set (C38)', async () => {
  const token = await newToken();
  const passwords = Array.from({ length: 20 }, (_, at) => `secret ${at}`);
  const answers = await Promise.all(passwords.map((password) => post(token, { password, confirmPassword: password })));
  const toasts = await Promise.all(answers.map(toastAfter));
  expect(toasts.filter((toast) => toast?.title === 'Success')).toHaveLength(1);
  const winner = passwords[toasts.findIndex((toast) => toast?.title === 'Success')] ?? '';
  expect(await fits(winner)).toBe(true);
});

it('a password link that is expired, of a deleted user, or without a token does not work (C38)', async () => {
  const token = await newToken();
  await db
    .updateTable('password_links')
    .set({ expires_at: new Date(Date.now() - 1) })
    .where('user_id', '=', user.id)
    .execute();
  await expectRefusedLink(await page(`?token=${token}`));
  await expectRefusedLink(await post(token));
  const another = await newToken();
  await usersAction(call(formRequest('/users?index', { intent: 'delete-user', userId: String(user.id) }, admin)));
  await expectRefusedLink(await page(`?token=${another}`));
  await expectRefusedLink(await post(another));
  expect(await mailsTo(user)).toEqual([]);
  expect((await page('')).headers.get('location')).toBe('/auth');
});
