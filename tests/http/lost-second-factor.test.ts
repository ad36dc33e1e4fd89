import { beforeEach, expect, it } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { toastAfter } from '#tests/support/answers.ts';
import { testDatabase } from '#tests/support/database.ts';
import { documentAt } from '#tests/support/documents.ts';
import { cookieOf, formRequest, jsonRequest } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';
import { makeSecondFactor } from '#tests/support/second-factor.ts';

const { db } = await testDatabase();

let boss: Member;
let user: Member;
beforeEach(async () => {
  const schoolId = await makeSchool(db);
  boss = await makeUser(db, schoolId, 'administrator');
  user = await makeUser(db, schoolId, 'instructor');
  await makeSecondFactor(db, user);
});

async function remove(sender: Member, id: number) {
  const fields = { intent: 'remove-second-factor', userId: String(id) };
  return answerTo(formRequest('/users?index', fields, await cookieOf(db, sender)));
}

async function hasFactor({ id }: Member): Promise<boolean> {
  const found = await db.selectFrom('second_factors').select('user_id').where('user_id', '=', id).executeTakeFirst();
  return found !== undefined;
}

it('an administrator takes a lost second factor off a person, who is signed out and mailed (B1273, C90)', async () => {
  const { $ } = await documentAt(`/users/${user.id}`, await cookieOf(db, boss));
  expect($('button[value="remove-second-factor"]').length).toBe(1);
  await cookieOf(db, user);
  const answer = await remove(boss, user.id);
  expect(await toastAfter(answer)).toMatchObject({
    title: 'Second factor removed',
    text: `${user.username} signs in with the password alone now.`,
  });
  expect(await hasFactor(user)).toBe(false);
  const sessions = await db.selectFrom('sessions').selectAll().where('user_id', '=', user.id).execute();
  expect(sessions.every(({ revoked_at }) => revoked_at !== null)).toBe(true);
  const mails = await db.selectFrom('mail_outbox').select(['to_address', 'body_text']).execute();
  expect(mails.find(({ to_address }) => to_address === user.email)?.body_text).toContain(
    'The second factor was removed: a password is enough to sign in.',
  );
  const again = await documentAt(`/users/${user.id}`, await cookieOf(db, boss));
  expect(again.$('button[value="remove-second-factor"]').length).toBe(0);
});

it('a second factor stays with strangers, with oneself, and where somebody else than an administrator asks (B1273)', async () => {
  const stranger = await makeUser(db, await makeSchool(db), 'administrator');
  await makeSecondFactor(db, boss);
  for (const [sender, target, status] of [
    [stranger, user, 404],
    [boss, boss, 400],
    [user, boss, 403],
  ] as const) {
    expect((await remove(sender, target.id)).status).toBe(status);
    expect(await hasFactor(target)).toBe(true);
  }
});

it('who has a second factor changes their own email by no door without a code of it (B1235)', async () => {
  const cookie = await cookieOf(db, boss);
  const change = (more: object) => answerTo(jsonRequest('PATCH', `/api/users/${boss.id}`, more, cookie));
  const emailOf = () => db.selectFrom('users').select('email').where('id', '=', boss.id).executeTakeFirst();
  await makeSecondFactor(db, boss);
  expect((await change({ email: 'mine@thief.example' })).status).toBe(400);
  const { id, username, role } = boss;
  const typed = { username, role, email: 'mine@thief.example' };
  const page = await answerTo(formRequest(`/users/${id}`, typed, cookie));
  expect(page.body).toMatchObject({ result: { error: { email: [expect.stringContaining('on your account')] } } });
  expect(await emailOf()).toEqual({ email: boss.email });
  expect((await change({ email: boss.email, name: 'Bo' })).status).toBe(200);
});
