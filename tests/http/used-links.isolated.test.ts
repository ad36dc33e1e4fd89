import { hash, hashRaw } from '@node-rs/argon2';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { acceptInvitation } from '#app/domain/invitations/accept-invitation.server.ts';
import { createLinkToken } from '#app/domain/link-tokens.server.ts';
import { setPassword } from '#app/domain/people/reset-password.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makeInvitation } from '#tests/support/invitation.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';

vi.mock(import('@node-rs/argon2'), { spy: true });

const { db } = await testDatabase();
const TOMORROW = new Date(Date.now() + 86_400_000);
const PASSWORD = 'long enough';

let admin: Member;
beforeEach(async () => {
  admin = await makeUser(db, await makeSchool(db), 'administrator');
});

/** How many hashes the work costs; what it came to. */
async function hashesOf(work: () => Promise<object>) {
  vi.mocked(hash).mockClear();
  vi.mocked(hashRaw).mockClear();
  const result = await work().catch((error: unknown) => error);
  return { result, hashes: vi.mocked(hash).mock.calls.length + vi.mocked(hashRaw).mock.calls.length };
}

async function makeLink(columns: { used_at?: Date; expires_at?: Date } = {}): Promise<string> {
  const { token, hash: tokenHash } = createLinkToken();
  const row = { school_id: admin.schoolId, user_id: admin.id, token_hash: tokenHash, expires_at: TOMORROW, ...columns };
  await db.insertInto('password_links').values(row).execute();
  return token;
}

const notFound = { result: { code: 'notFound' }, hashes: 0 };

it('an invitation that was used or has expired costs no hash, unless the same form was sent before (B420)', async () => {
  const expired = await makeInvitation(db, admin, { expires_at: new Date(0) });
  const accept = (token: string, key?: string) =>
    hashesOf(() => acceptInvitation(db, token, { username: `user-${admin.id}`, password: PASSWORD }, key));
  expect(await accept(expired.token)).toMatchObject(notFound);
  const { token } = await makeInvitation(db, admin);
  const first = await accept(token, 'form');
  expect(first).toMatchObject({ result: { role: 'instructor' }, hashes: 2 });
  expect(await accept(token)).toMatchObject(notFound);
  expect(await accept(token, 'another form')).toMatchObject(notFound);
  expect((await accept(token, 'form')).result).toEqual(first.result);
});

it('a password link that was used or has expired costs no hash, unless the same form was sent before (B420)', async () => {
  const set = (token: string, key?: string) => hashesOf(() => setPassword(db, token, PASSWORD, key));
  expect(await set(await makeLink({ expires_at: new Date(0) }))).toMatchObject(notFound);
  await db.deleteFrom('password_links').execute();
  const token = await makeLink();
  expect(await set(token, 'form')).toEqual({ result: {}, hashes: 2 });
  expect(await set(token)).toMatchObject(notFound);
  expect(await set(token, 'another form')).toMatchObject(notFound);
  expect((await set(token, 'form')).result).toEqual({});
});
