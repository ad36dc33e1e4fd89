import { beforeEach, expect, it } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { toastAfter } from '#tests/support/answers.ts';
import { testDatabase } from '#tests/support/database.ts';
import { cookieOf, formRequest, getRequest } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeScene, makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();

let boss: Member;
let user: Member;
beforeEach(async () => {
  ({ admin: boss, pilot: user } = await makeScene(db));
});

async function signOut(sender: Member, id: number) {
  const fields = { intent: 'sign-out-user', userId: String(id) };
  return answerTo(formRequest('/users?index', fields, await cookieOf(db, sender)));
}

async function statusOf(cookie: string): Promise<number> {
  return (await answerTo(getRequest('/api/user', cookie))).status;
}

it('an administrator signs a user out on every device, and nobody else, who can sign in again (B403)', async () => {
  const stranger = await makeUser(db, await makeSchool(db));
  const others = [boss, await makeUser(db, boss.schoolId), stranger];
  const kept = await Promise.all(others.map((other) => cookieOf(db, other)));
  const devices = [await cookieOf(db, user), await cookieOf(db, user)];
  expect((await signOut(user, boss.id)).status, 'by a student').toBe(403);
  expect((await signOut(boss, stranger.id)).status).toBe(404);
  expect(await Promise.all(devices.map(statusOf))).toEqual([200, 200]);
  expect(await toastAfter(await signOut(boss, user.id))).toMatchObject({
    title: 'User signed out',
    text: `${user.username} is signed out on every device.`,
  });
  expect(await Promise.all(devices.map(statusOf))).toEqual([401, 401]);
  expect(await Promise.all(kept.map(statusOf))).toEqual([200, 200, 200]);
  expect(await statusOf(await cookieOf(db, user))).toBe(200);
});
