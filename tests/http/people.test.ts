import { beforeEach, expect, it } from 'vitest';
import { AppError } from '#app/domain/app-error.ts';
import { completed, insert, makeFlight, type Member, testDatabase } from '#tests/support/makers.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { answerTo, call, cookieOf, formRequest, getRequest, jsonRequest, toastAfter } from '#tests/support/ask.ts';
import { documentAfter, nightly, textOf } from '#tests/support/pages.ts';
import { changeUser } from '#app/domain/people/change-user.server.ts';
import { loader as nameLoader } from '#app/routes/account_.name/route.tsx';
import { loader } from '#app/routes/users.$id/route.tsx';

const { db } = await testDatabase();

let schoolId: number, boss: Member, anna: Member, admin: string, annas: string;
beforeEach(async () => {
  schoolId = await makeSchool(db);
  boss = await makeUser(db, schoolId, 'administrator');
  anna = await makeUser(db, schoolId, 'student');
  admin = await cookieOf(db, boss);
  annas = await cookieOf(db, anna);
});

const at = ({ id }: { id: number }) => ({ id: String(id) });
const page = (user: Member) => loader(call(getRequest(`/users/${user.id}`, admin), at(user)));
const save = (user: Member, fields: Record<string, string>) =>
  answerTo(formRequest(`/users/${user.id}`, fields, admin));
const patch = (user: Member, body: object, headers = {}) =>
  answerTo(jsonRequest('PATCH', `/api/users/${user.id}`, body, admin, headers));
const rowOf = (user: Member) => db.selectFrom('users').selectAll().where('id', '=', user.id).executeTakeFirstOrThrow();
const jsonOf = ({ body }: { body: unknown }) => JSON.parse(String(body));
const events = (action: string) =>
  db.selectFrom('audit_entries').selectAll().where('school_id', '=', schoolId).where('action', '=', action).execute();
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof AppError ? error.message : Promise.reject(error)),
  );

it('one form changes role, email, username and shown name, and the activity has what was and what is (B630)', async () => {
  const { seen } = await page(anna);
  const typed = { username: 'Anna B', name: ' Anna  Berg ', email: 'anna@berg.example', role: 'instructor' };
  const answer = await save(anna, { ...typed, username: `Anna ${anna.id}`, seen });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/users']);
  expect(await toastAfter(answer)).toMatchObject({ title: 'User changed' });
  expect(await rowOf(anna)).toMatchObject({
    username: `Anna ${anna.id}`,
    username_key: `anna ${anna.id}`,
    name: 'Anna Berg',
    email: 'anna@berg.example',
    role: 'instructor',
  });
  expect(await events('changed user')).toMatchObject([
    {
      user_id: boss.id,
      subject_id: anna.id,
      before: { username: anna.username, name: null, role: 'student' },
      after: { username: `Anna ${anna.id}`, name: 'Anna Berg', role: 'instructor' },
    },
  ]);
});

it('a new role keeps the session, flights and open flight, and applies at once to what the user may do (B631)', async () => {
  const flown = { ...completed('2026-05-12T10:00Z', '2026-05-12T11:00Z'), completed_by: anna.id };
  const plane = await makeAircraft(db, schoolId);
  const flights = [await makeFlight(db, anna, plane, flown), await makeFlight(db, anna, plane)];
  expect((await patch(anna, { role: 'administrator' })).status).toBe(200);
  expect(jsonOf(await answerTo(getRequest('/api/user', annas)))).toMatchObject({
    id: anna.id,
    role: 'administrator',
  });
  const saved = { name: 'Cascade', address: '1 Road', phone: '555' };
  const asAnna = () => answerTo(jsonRequest('PUT', '/api/flight-school', saved, annas));
  expect((await asAnna()).status).toBe(200);
  await patch(anna, { role: 'instructor' });
  expect((await asAnna()).status).toBe(403);
  const logs: { id: number }[] = jsonOf(await answerTo(getRequest('/api/flight-logs', annas)));
  expect(logs.map(({ id }) => id).toSorted()).toEqual(flights.toSorted());
  expect(logs[0]).toMatchObject({ status: 'in_progress', user: { id: anna.id } });
});

it('the last administrator cannot be demoted; one of two may step down (B632)', async () => {
  expect(await patch(boss, { role: 'student' })).toMatchObject({
    status: 409,
    body: 'A school needs at least one administrator.',
  });
  expect((await rowOf(boss)).role).toBe('administrator');
  await makeUser(db, schoolId, 'administrator');
  expect((await patch(boss, { role: 'student' })).status).toBe(200);
  expect((await patch(boss, { role: 'administrator' })).status).toBe(403);
});

nightly('of two administrators who demote each other or themselves at once one remains (B632)', async () => {
  for (let round = 0; round < 20; round += 1) {
    const school = await makeSchool(db);
    const [a, b] = [await makeUser(db, school, 'administrator'), await makeUser(db, school, 'administrator')];
    const [first, second] = round % 2 === 0 ? [b, a] : [a, b];
    const outcomes = await Promise.all([
      outcome(changeUser(db, a, first.id, { role: 'student' })),
      outcome(changeUser(db, b, second.id, { role: 'student' })),
    ]);
    expect(outcomes.filter((one) => one === 'done')).toHaveLength(1);
    const roles = [(await rowOf(a)).role, (await rowOf(b)).role];
    expect(roles.toSorted()).toEqual(['administrator', 'student']);
  }
});

it('a form older than a change to its user is refused, says what is stored now, and keeps what was typed (B633)', async () => {
  const { seen } = await page(anna);
  await patch(anna, { name: 'Anna Berg' });
  const typed = { username: anna.username, name: '', email: 'typed@berg.example', role: 'student', seen };
  const refused = await documentAfter(`/users/${anna.id}`, typed, admin);
  expect(refused.status).toBe(409);
  expect(textOf(refused.$('main'))).toContain(`Stored now: ${anna.username}, Anna Berg, ${anna.email}, Student`);
  expect(refused.$('input[name=email]').val()).toBe('typed@berg.example');
  expect((await rowOf(anna)).name).toBe('Anna Berg');
  await patch(anna, { name: null, role: 'instructor' });
  const nameless = textOf((await documentAfter(`/users/${anna.id}`, typed, admin)).$('main'));
  await patch(anna, { name: 'Anna Berg', role: 'student' });
  expect(nameless).toContain(`Stored now: ${anna.username}, no name, ${anna.email}, Instructor`);
  const again = String(refused.$('input[name=seen]').val());
  expect((await save(anna, { ...typed, seen: again })).status).toBe(303);
  expect(await rowOf(anna)).toMatchObject({ name: null, email: 'typed@berg.example' });
});

it('a username and an email of others are told at once, beside their fields, by screen and call (B630, B1541)', async () => {
  const [ben, cleo] = [await makeUser(db, schoolId), await makeUser(db, schoolId)];
  const both = { username: ben.username, email: cleo.email.toUpperCase() };
  const told = { username: ['Username already exists'], email: ['A user with this email already exists'] };
  expect(await save(anna, { ...both, name: 'Anna', role: 'student' })).toMatchObject({
    status: 409,
    body: { result: { initialValue: { name: 'Anna' }, error: told } },
  });
  const text = 'Username already exists\nA user with this email already exists';
  expect(await patch(anna, both)).toMatchObject({ status: 409, body: text });
  expect(await patch(anna, { username: ben.username })).toMatchObject({ body: 'Username already exists' });
  expect(await patch(anna, { email: cleo.email })).toMatchObject({ body: 'A user with this email already exists' });
  expect(await rowOf(anna)).toMatchObject({ username: anna.username, email: anna.email });
});

it('a changed email withdraws its password link, and administrators learn of a new administrator (B634)', async () => {
  const link = { token_hash: `hash-${anna.id}`, expires_at: new Date(Date.now() + 86_400_000) };
  await insert(db, 'password_links', { ...link, school_id: schoolId, user_id: anna.id });
  await patch(anna, { name: 'Anna' });
  const links = () => db.selectFrom('password_links').selectAll().where('user_id', '=', anna.id).execute();
  expect(await links()).toHaveLength(1);
  await patch(anna, { email: 'new@berg.example', role: 'administrator' });
  expect(await links()).toEqual([]);
  expect(await events('alerted administrators')).toMatchObject([{ after: { about: 'new administrator' } }]);
});

it('PATCH keeps absent fields and removes a null name, once for a key; all change their own (B630, B635, C58)', async () => {
  await patch(anna, { name: 'Anna Berg' });
  expect(jsonOf(await patch(anna, {}))).toEqual({
    ...{ id: anna.id, username: anna.username, name: 'Anna Berg', email: anna.email, role: 'student' },
  });
  const key = { 'idempotency-key': `once-${anna.id}` };
  for (const _ of [1, 2]) expect(jsonOf(await patch(anna, { name: null }, key))).not.toHaveProperty('name');
  expect(await events('changed user')).toHaveLength(2);
  expect((await patch(anna, { role: 'student' }, key)).status).toBe(422);
  const post = (name: string) => answerTo(formRequest('/account/name', { name }, annas));
  expect((await post('Anna Berg')).headers.get('location')).toBe('/account');
  expect(await nameLoader(call(getRequest('/account/name', annas)))).toMatchObject({ name: 'Anna Berg' });
  expect((await post('Anna\u200b')).status).toBe(400);
  await post('');
  expect((await rowOf(anna)).name).toBeNull();
  expect(await events('changed own name')).toHaveLength(2);
});
