import { verify } from '@node-rs/argon2';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { hashPassword, verifyPassword } from '#app/domain/people/passwords.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { jsonRequest } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeSchool, makeUser, PASSWORD } from '#tests/support/school.ts';

vi.mock(import('@node-rs/argon2'), { spy: true });

const { db } = await testDatabase();
const schoolId = await makeSchool(db);
const password_hash = await hashPassword(PASSWORD);

let user: Member;
beforeEach(async () => {
  user = await makeUser(db, schoolId);
  await db.updateTable('users').set({ password_hash }).where('id', '=', user.id).execute();
  vi.mocked(verify).mockClear();
});

const byCall = (body: object) => answerTo(jsonRequest('POST', '/api/login', body));

it('POST /api/login checks a hash and answers alike for a wrong password, unknown or deleted user (B242, C37)', async () => {
  const gone = await makeUser(db, schoolId);
  await db
    .updateTable('users')
    .set({ deleted_at: new Date(), password_hash: null })
    .where('id', '=', gone.id)
    .execute();
  const tried = [user.username, 'nobody-of-this-name', gone.username];
  for (const username of tried) {
    const answer = await byCall({ username, password: 'wrong-password' });
    expect([answer.status, answer.body]).toEqual([401, 'Invalid username or password']);
    expect(answer.headers.getSetCookie()).toEqual([]);
  }
  const hashes = vi.mocked(verify).mock.calls.map(([hash]) => String(hash));
  expect(hashes).toHaveLength(tried.length);
  for (const hash of hashes) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

it('a username or password of more than 1,024 characters is refused before a hash is checked (C37)', async () => {
  expect((await byCall({ username: user.username, password: 'x'.repeat(1025) })).status).toBe(400);
  expect((await byCall({ username: 'x'.repeat(1025), password: PASSWORD })).status).toBe(400);
  expect(verify).not.toHaveBeenCalled();
  expect((await byCall({ username: user.username, password: 'x'.repeat(1024) })).status).toBe(401);
});

it('of thirty guesses at once ten are checked (C37)', async () => {
  const statuses = (
    await Promise.all(Array.from({ length: 30 }, () => byCall({ username: user.username, password: 'wrong-password' })))
  ).map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  expect(verify).toHaveBeenCalledTimes(10);
});

it('no password fits an account without one, not even that of the hash checked in its place (C37)', async () => {
  for (const missing of [null, undefined])
    expect(await verifyPassword('nobody has this password', missing)).toBe(false);
});
