import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { makeAircraft, makeFlight, makeSchool, makeUser, type Member, testDatabase } from '#tests/support/makers.ts';
import { call, cookieOf, formRequest, getRequest, handleRequest, jsonRequest, toastAfter } from '#tests/support/ask.ts';
import { answerTo } from '#tests/support/routes.ts';
import { documentAt, nightly } from '#tests/support/pages.ts';
import { findUserByUsername } from '#app/domain/people/queries.server.ts';
import { loader } from '#app/routes/users._index/route.tsx';
import { makeSecondFactor } from '#tests/support/second-factor.ts';

const { db } = await testDatabase();

let schoolId: number, boss: Member, admin: string, others: Record<'instructor' | 'student', string>;
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

it('a question about a user and its act come back to the part of the list that was found (B1756)', async () => {
  const user = await makeUser(db, schoolId);
  const { $ } = await documentAt(`/users?q=school&confirm=delete-user:${user.id}`, admin);
  expect($('dialog a').attr('href')).toBe('/users?q=school');
  const fields = { intent: 'delete-user', userId: String(user.id) };
  const answer = await answerTo(formRequest($('dialog form').attr('action') ?? '', fields, admin));
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/users?q=school']);
  expect(await isLive(user.id)).toBe(false);
});

const insertPeople = (count: number) =>
  sql`insert into users (school_id, username, username_key, name, email, role, password_hash)
      select ${schoolId}, ${`Pilot-${schoolId}-`} || lpad(n::text, 4, '0'), ${`pilot-${schoolId}-`} || lpad(n::text, 4, '0'), 'Person ' || n,
        'p' || n || '@cascade.example', 'student', 'x' from generate_series(1, ${count}::integer) n`.execute(db);
const hrefOf = (path: string | null) => (path ?? '').replace('/users', '');

it('pages of 16 leave nobody out; a part of username, name or email finds people, and stays (B838)', async () => {
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

nightly('of 25 people there is one page without a form; of 2,000 one has at most 30 kB (B838)', async () => {
  await insertPeople(22);
  expect(await page(admin)).toMatchObject({ search: null, next: null, first: null });
  await makeUser(db, schoolId);
  expect(await page(admin)).toMatchObject({ search: '', next: expect.stringContaining('/users?after=') });
  await db.deleteFrom('users').where('school_id', '=', schoolId).where('username', 'like', 'Pilot-%').execute();
  await insertPeople(2000);
  const answer = await handleRequest(getRequest('/users', admin));
  expect((await answer.text()).length).toBeLessThanOrEqual(30_000);
});

it('a deleted user is out of the list and signed out; the call answers {}, and 404 again (B110, B257, C13, C59)', async () => {
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
  const other = await makeUser(db, schoolId);
  expect(await removeByCall(other.id)).toMatchObject({ status: 200, body: '{}' });
  expect(await removeByCall(other.id)).toMatchObject({ status: 404, body: 'User not found' });
  expect(await findUserByUsername(db, other.username)).toBeUndefined();
});

it('deleting oneself is 400, a stranger 404, who is in flight 409 until back (B282, B327, C13, C14, C16)', async () => {
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
  const pilot = await makeUser(db, schoolId, 'student', `again-${schoolId}`);
  const id = String(await makeFlight(db, pilot, await makeAircraft(db, schoolId)));
  const inFlight = { status: 409, body: { toast: { text: 'This user has an active flight in progress.' } } };
  expect(await remove(pilot.id)).toMatchObject(inFlight);
  const landed = { end_hobbs: '101.2', end_tach: '91.0', completed_at: sql<Date>`now()`, completed_by: pilot.id };
  await db.updateTable('flight_logs').set(landed).where('id', '=', Number(id)).execute();
  expect((await remove(pilot.id)).status).toBe(303);
  const answer = await answerTo(getRequest(`/api/flight-logs/${id}`, admin));
  expect(JSON.parse(String(answer.body))).toMatchObject({ user: { username: pilot.username, email: pilot.email } });
  const { username } = await makeUser(db, await makeSchool(db), 'student', pilot.username);
  expect(username, 'free again').toBe(pilot.username);
});

const press = async (intent: string, id: number, sender = boss) =>
  post({ intent, userId: String(id) }, await cookieOf(db, sender));

async function hasFactor({ id }: Member): Promise<boolean> {
  const found = await db.selectFrom('second_factors').select('user_id').where('user_id', '=', id).executeTakeFirst();
  return found !== undefined;
}

it('an administrator takes a lost second factor off a person, who is signed out and mailed (B1273, C90)', async () => {
  const user = await makeUser(db, schoolId, 'instructor');
  await makeSecondFactor(db, user);
  const { $ } = await documentAt(`/users/${user.id}`, await cookieOf(db, boss));
  expect($('button[value="remove-second-factor"]').length).toBe(1);
  await cookieOf(db, user);
  const answer = await press('remove-second-factor', user.id);
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
  const user = await makeUser(db, schoolId, 'instructor');
  await makeSecondFactor(db, user);
  const stranger = await makeUser(db, await makeSchool(db), 'administrator');
  await makeSecondFactor(db, boss);
  for (const [sender, target, status] of [
    [stranger, user, 404],
    [boss, boss, 400],
    [user, boss, 403],
  ] as const) {
    expect((await press('remove-second-factor', target.id, sender)).status).toBe(status);
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

const statusOf = async (cookie: string) => (await answerTo(getRequest('/api/user', cookie))).status;

it('an administrator signs a user out on every device, and nobody else, who can sign in again (B403)', async () => {
  const user = await makeUser(db, schoolId);
  const stranger = await makeUser(db, await makeSchool(db));
  const others = [boss, await makeUser(db, boss.schoolId), stranger];
  const kept = await Promise.all(others.map((other) => cookieOf(db, other)));
  const devices = [await cookieOf(db, user), await cookieOf(db, user)];
  expect((await press('sign-out-user', boss.id, user)).status, 'by a student').toBe(403);
  expect((await press('sign-out-user', stranger.id)).status).toBe(404);
  expect(await Promise.all(devices.map(statusOf))).toEqual([200, 200]);
  expect(await toastAfter(await press('sign-out-user', user.id))).toMatchObject({
    title: 'User signed out',
    text: `${user.username} is signed out on every device.`,
  });
  expect(await Promise.all(devices.map(statusOf))).toEqual([401, 401]);
  expect(await Promise.all(kept.map(statusOf))).toEqual([200, 200, 200]);
  expect(await statusOf(await cookieOf(db, user))).toBe(200);
});
