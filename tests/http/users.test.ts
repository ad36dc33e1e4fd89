import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { findUserByUsername } from '#app/domain/people/queries.server.ts';
import { loader } from '#app/routes/users._index/route.tsx';
import { toastAfter } from '#tests/support/answers.ts';
import { handleRequest } from '#tests/support/app-handler.ts';
import { testDatabase } from '#tests/support/database.ts';
import { documentAt } from '#tests/support/documents.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { call, cookieOf, formRequest, getRequest, jsonRequest } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { nightly } from '#tests/support/takes-all.ts';

const { db } = await testDatabase();

let schoolId: number;
let boss: Member;
let admin: string;
let others: Record<'instructor' | 'student', string>;
beforeEach(async () => {
  schoolId = await makeSchool(db);
  boss = await makeUser(db, schoolId, 'administrator');
  admin = await cookieOf(db, boss);
  others = {
    instructor: await cookieOf(db, await makeUser(db, schoolId, 'instructor')),
    student: await cookieOf(db, await makeUser(db, schoolId, 'student')),
  };
});

const page = (cookie: string, search = '') => loader(call(getRequest(`/users${search}`, cookie)));
const post = (fields: Record<string, string>, cookie = admin) => answerTo(formRequest('/users?index', fields, cookie));
const remove = (id: number | string, cookie = admin) => post({ intent: 'delete-user', userId: String(id) }, cookie);
const removeByCall = (id: number | string, cookie = admin, headers = {}) =>
  answerTo(jsonRequest('DELETE', `/api/users/${id}`, undefined, cookie, headers));
const rowOf = (id: number) => db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const isLive = async (id: number) => (await rowOf(id)).deleted_at === null;

describe('/users', () => {
  it('/users shows every role the users of its own school, and none of another (B004, B107, C34)', async () => {
    const foreignUser = await makeUser(db, await makeSchool(db));
    for (const cookie of [admin, others.instructor, others.student]) {
      const { users } = await page(cookie);
      expect(users).toHaveLength(3);
      expect(users).toContainEqual(
        expect.objectContaining({ id: boss.id, username: boss.username, email: boss.email, role: 'administrator' }),
      );
      expect(JSON.stringify(users)).not.toContain(foreignUser.username);
    }
  });

  it('asking to delete a user has a URL and changes nothing, and offers neither oneself nor a stranger (B109, C71)', async () => {
    const user = await makeUser(db, schoolId);
    const foreignUser = await makeUser(db, await makeSchool(db));
    const asked = async (id: unknown, cookie = admin) =>
      (await page(cookie, `?confirm=delete-user:${id}`)).toDelete?.id;
    expect(await asked(user.id)).toBe(user.id);
    expect(await isLive(user.id)).toBe(true);
    for (const nothing of [boss.id, foreignUser.id, 0, 'x', '99999999999', ''])
      expect(await asked(nothing)).toBeUndefined();
    for (const cookie of Object.values(others)) expect(await asked(user.id, cookie)).toBeUndefined();
  });

  it('a question about a user and its act come back to the part of the list that was found (B1756)', async () => {
    const user = await makeUser(db, schoolId);
    const { $ } = await documentAt(`/users?q=school&confirm=delete-user:${user.id}`, admin);
    expect($('dialog a').attr('href')).toBe('/users?q=school');
    const fields = { intent: 'delete-user', userId: String(user.id) };
    const answer = await answerTo(formRequest($('dialog form').attr('action') ?? '', fields, admin));
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/users?q=school']);
    expect(await isLive(user.id)).toBe(false);
  });

  it('/users is empty for an administrator without a school, and deleting there says why it fails (C36)', async () => {
    await db.updateTable('users').set({ school_id: null }).where('id', '=', boss.id).execute();
    expect((await page(admin)).users).toEqual([]);
    expect(await remove(1)).toMatchObject({ status: 409, body: { toast: { text: 'No flight school assigned' } } });
  });
});

describe('/users of a large school', () => {
  const insertPeople = (count: number) =>
    sql`insert into users (school_id, username, username_key, name, email, role, password_hash)
      select ${schoolId}, ${`Pilot-${schoolId}-`} || lpad(n::text, 4, '0'), ${`pilot-${schoolId}-`} || lpad(n::text, 4, '0'), 'Person ' || n,
        'p' || n || '@cascade.example', 'student', 'x' from generate_series(1, ${count}::integer) n`.execute(db);
  const hrefOf = (path: string | null) => (path ?? '').replace('/users', '');

  it('pages of 16 follow each other by username, and leave nobody out (B838)', async () => {
    await insertPeople(60);
    const seen: string[] = [];
    for (let search: string | null = ''; search !== null;) {
      const { users, next } = await page(others.student, search);
      expect(users.length).toBeLessThanOrEqual(16);
      seen.push(...users.map(({ username }) => username));
      search = next === null ? null : hrefOf(next);
    }
    expect(seen).toHaveLength(63);
    expect(new Set(seen).size).toBe(63);
  });

  it('a part of username, name or email finds people, and what was looked for stays in the form (B838)', async () => {
    await insertPeople(60);
    const namesFor = async (text: string) =>
      (await page(admin, `?q=${encodeURIComponent(text)}`)).users.map(({ username }) => username);
    const pilot = (number: string) => `Pilot-${schoolId}-${number}`;
    expect(await namesFor(pilot('0042').toUpperCase())).toEqual([pilot('0042')]);
    expect(await namesFor('person 7')).toEqual([pilot('0007')]);
    expect(await namesFor('p13@')).toEqual([pilot('0013')]);
    for (const nobody of ['%', '_ilot', 'x\0y']) expect(await namesFor(nobody)).toEqual([]);
    expect(await page(admin, '?q=-0042')).toMatchObject({ search: '-0042', next: null });
    const { first, next } = await page(admin, '?q=person');
    expect(first).toBeNull();
    expect(next).toMatch(/[?&]q=person(&|$)/);
    expect((await page(admin, hrefOf(next))).first).toBe('/users?q=person');
    await expect(page(admin, `?q=${'x'.repeat(101)}`)).rejects.toMatchObject({ status: 400 });
  });

  nightly('the link to a person leads to the page on which that person is (B838)', async () => {
    await insertPeople(60);
    const last = (await page(admin, '?q=-0060')).users[0]!;
    const theirs = await page(admin, `?person=${last.id}`);
    expect(theirs.users.map(({ id }) => id)).toContain(last.id);
    expect(theirs.first).toBe('/users');
    expect((await page(admin, `?person=${boss.id}`)).users.map(({ id }) => id)).toContain(boss.id);
  });

  nightly(
    '25 people are on one page without a form to find them; of 2,000 a page is at most 30 kB of HTML (B838)',
    async () => {
      await insertPeople(22);
      expect(await page(admin)).toMatchObject({ search: null, next: null, first: null });
      await makeUser(db, schoolId);
      expect(await page(admin)).toMatchObject({ search: '', next: expect.stringContaining('/users?after=') });
      await db.deleteFrom('users').where('school_id', '=', schoolId).where('username', 'like', 'Pilot-%').execute();
      await insertPeople(2000);
      const answer = await handleRequest(getRequest('/users', admin));
      expect((await answer.text()).length).toBeLessThanOrEqual(30_000);
    },
  );
});

describe('deleting a user by the page', () => {
  it('a deleted user is announced, out of the list, signed out, and without a password (B110, C13)', async () => {
    const user = await makeUser(db, schoolId);
    const cookie = await cookieOf(db, user);
    const answer = await remove(user.id);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/users']);
    expect(await toastAfter(answer)).toMatchObject({ title: 'User deleted successfully', tone: 'default' });
    expect(await rowOf(user.id)).toMatchObject({ deleted_at: expect.any(Date), password_hash: null });
    expect((await answerTo(getRequest('/api/users', cookie))).status).toBe(401);
    expect((await page(admin)).users.map(({ id }) => id)).not.toContain(user.id);
    const sessions = await db.selectFrom('sessions').selectAll().where('user_id', '=', user.id).execute();
    expect(sessions).toMatchObject([{ revoked_at: expect.any(Date) }]);
  });

  it('deleting oneself is 400, and a user of another school or an unknown one 404 (C14, B282)', async () => {
    await makeUser(db, schoolId, 'administrator');
    const foreignUser = await makeUser(db, await makeSchool(db), 'student', `wall-${schoolId}`);
    const refused = (status: number, text: string) => ({ status, body: { toast: { title: 'Error', text } } });
    expect(await remove(boss.id)).toMatchObject(refused(400, 'You cannot delete your own account.'));
    for (const id of [foreignUser.id, 0, '', 'x', '2147483648', '-1']) {
      const answer = await remove(id);
      expect(answer).toMatchObject(refused(404, 'User not found'));
      expect(JSON.stringify(answer.body)).not.toContain('wall-');
    }
    expect(await isLive(foreignUser.id)).toBe(true);
    expect(await isLive(boss.id)).toBe(true);
  });

  it('a user in flight cannot be deleted, and can be once back; the flight keeps name and email (C13, C16, B327)', async () => {
    const pilot = await makeUser(db, schoolId, 'student', `again-${schoolId}`);
    const id = String(await makeFlight(db, pilot, await makeAircraft(db, schoolId)));
    const refused = { status: 409, body: { toast: { text: 'This user has an active flight in progress.' } } };
    expect(await remove(pilot.id)).toMatchObject(refused);
    const landed = { end_hobbs: '101.2', end_tach: '91.0', completed_at: sql<Date>`now()`, completed_by: pilot.id };
    await db.updateTable('flight_logs').set(landed).where('id', '=', Number(id)).execute();
    expect((await remove(pilot.id)).status).toBe(303);
    const answer = await answerTo(getRequest(`/api/flight-logs/${id}`, admin));
    expect(JSON.parse(String(answer.body))).toMatchObject({ user: { username: pilot.username, email: pilot.email } });
    const { username } = await makeUser(db, await makeSchool(db), 'student', pilot.username);
    expect(username, 'free again').toBe(pilot.username);
  });

  it('deleting a user that fails in the database says so with the message of the page', async () => {
    const user = await makeUser(db, schoolId);
    await db.schema.alterTable('audit_entries').renameTo('audit_away').execute();
    try {
      expect(await remove(user.id)).toMatchObject({ status: 500, body: { toast: { text: 'Failed to delete user' } } });
    } finally {
      await db.schema.alterTable('audit_away').renameTo('audit_entries').execute();
    }
    expect(await isLive(user.id)).toBe(true);
  });
});

describe('DELETE /api/users/{id}', () => {
  it('DELETE /api/users/:id answers an empty object, and 404 the next time (B257, C59)', async () => {
    const user = await makeUser(db, schoolId);
    expect(await removeByCall(user.id)).toMatchObject({ status: 200, body: '{}' });
    expect(await removeByCall(user.id)).toMatchObject({ status: 404, body: 'User not found' });
    expect(await findUserByUsername(db, user.username)).toBeUndefined();
  });
});
