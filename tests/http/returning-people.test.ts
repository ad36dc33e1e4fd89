import { beforeEach, expect, it } from 'vitest';
import { completed, makeFlight, type Member, testDatabase } from '#tests/support/makers.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { documentAfter, documentAt, nightly, textOf } from '#tests/support/pages.ts';
import { answerTo, cookieOf, formRequest, jsonRequest } from '#tests/support/ask.ts';
import { deleteUser } from '#app/domain/people/change-user.server.ts';
import {
  changeInvitation,
  deleteInvitation,
  sendInvitation,
} from '#app/domain/invitations/change-invitation.server.ts';

const { db } = await testDatabase();

const PASSWORD = 'gull-and-kite-9';
const TICK = 'Yes, this is the same person as before';

let schoolId: number, boss: Member, admin: string, anna: Member, flight: number;
beforeEach(async () => {
  schoolId = await makeSchool(db);
  boss = await makeUser(db, schoolId, 'administrator');
  admin = await cookieOf(db, boss);
  anna = await makeUser(db, schoolId, 'instructor', `anna-${schoolId}`);
  const landed = { ...completed('2026-05-12T10:00Z', '2026-05-12T11:00Z'), completed_by: anna.id };
  flight = await makeFlight(db, anna, await makeAircraft(db, schoolId), landed);
  await deleteUser(db, boss, anna.id);
  await deleteUser(db, boss, (await makeUser(db, schoolId)).id);
});

const typed = () => ({ username: anna.username, email: anna.email.toUpperCase(), password: PASSWORD, role: 'student' });
const add = (fields: Record<string, string>) => answerTo(formRequest('/users/add', fields, admin));
const register = (body: object) => answerTo(jsonRequest('POST', '/api/register', body, admin));
const livePeople = () =>
  db
    .selectFrom('users')
    .selectAll()
    .where('school_id', '=', schoolId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
const newest = async () => (await livePeople()).at(-1);

it('the form asks by a tick if it is the same person, who then comes back with id and flights (B636, C86)', async () => {
  const { status, $ } = await documentAfter('/users/add', typed(), admin);
  expect(status).toBe(400);
  expect(textOf($('.field:has(#user-samePerson)'))).toMatch(
    new RegExp(`${anna.username} was here until \\d+ \\w+ \\d{4}\\..*${TICK}`),
  );
  expect($('#user-samePerson').is(':checked')).toBe(false);
  expect($('input[name=username]').val()).toBe(anna.username);
  expect(await livePeople()).toHaveLength(1);
  expect((await documentAt('/users/add', admin)).$('#user-samePerson')).toHaveLength(0);
  const before = await db.selectFrom('users').selectAll().where('id', '=', anna.id).executeTakeFirstOrThrow();
  expect((await add({ ...typed(), askedAbout: anna.email, samePerson: 'on' })).status).toBe(303);
  expect(await newest()).toMatchObject({ id: anna.id, role: 'student', created_at: before.created_at });
  const log = db.selectFrom('flight_logs').select('user_id').where('id', '=', flight);
  expect(await log.executeTakeFirst()).toEqual({ user_id: anna.id });
  const signIn = (password: string) =>
    answerTo(jsonRequest('POST', '/api/login', { username: anna.username, password }));
  expect((await signIn(PASSWORD)).status).toBe(200);
  expect((await signIn('flightline-demo')).status).toBe(401);
});

nightly('without the tick another id is added, as by an answer about another address none (B636, C86)', async () => {
  const other = { ...typed(), askedAbout: 'other@school.example', samePerson: 'on' };
  expect((await add(other)).status).toBe(400);
  expect(await livePeople()).toHaveLength(1);
  expect((await add({ ...typed(), askedAbout: anna.email })).status).toBe(303);
  expect((await newest())?.id).toBeGreaterThan(anna.id);
  const log = db.selectFrom('flight_logs').select('user_id').where('id', '=', flight);
  expect(await log.executeTakeFirst()).toEqual({ user_id: anna.id });
});

nightly('once the address was removed the username is what a former user is known by (B636)', async () => {
  const again = { ...typed(), email: 'new@address.example' };
  expect((await add({ ...again, username: `Other ${schoolId}` })).status).toBe(303);
  await db.updateTable('users').set({ email: '' }).where('id', '=', anna.id).execute();
  expect((await add({ ...again, email: 'newer@address.example' })).status).toBe(400);
  await add({ ...again, email: 'newer@address.example', askedAbout: 'newer@address.example', samePerson: 'on' });
  expect(await livePeople()).toContainEqual(expect.objectContaining({ id: anna.id, email: 'newer@address.example' }));
});

it('POST /api/register with samePerson brings a former user back, and is 400 for a new or current address (B637)', async () => {
  for (const email of ['nobody@school.example', boss.email]) {
    expect(await register({ ...typed(), email, samePerson: true })).toMatchObject({
      status: 400,
      body: 'Nobody with this address was here before.',
    });
  }
  const answer = await register({ ...typed(), samePerson: true });
  expect(JSON.parse(String(answer.body))).toMatchObject({ id: anna.id, role: 'student' });
  const found = db.selectFrom('audit_entries').select('subject_id').where('school_id', '=', schoolId);
  expect(await found.where('action', '=', 'brought user back').execute()).toEqual([{ subject_id: anna.id }]);
});

const invite = { name: 'Anna Berg', role: 'student' as const };

async function tokenOf(samePerson: boolean): Promise<string> {
  let link = '';
  await sendInvitation(db, boss, { ...invite, email: anna.email, samePerson }, undefined, (url) => (link = url));
  return new URL(link, 'http://x').searchParams.get('token') ?? '';
}

it('an invitation to come back stays one when its role changes, and not with another address or answer (B636)', async () => {
  for (const [change, comesBack] of [
    [{ role: 'instructor' }, true],
    [{ samePerson: false }, false],
    [{ email: `another-${schoolId}@school.example` }, false],
  ] as const) {
    const { id } = await sendInvitation(db, boss, { ...invite, email: anna.email, samePerson: true });
    expect(await changeInvitation(db, boss, id, change)).toMatchObject({ samePerson: comesBack });
    await deleteInvitation(db, boss, id);
  }
});

nightly('the form to invite asks the same; who registers has the same id, or a new one (B636, B637)', async () => {
  const { status, $ } = await documentAfter('/users/invitations', { ...invite, email: anna.email }, admin);
  expect([status, $('#invitation-samePerson').length, $('input[name=askedAbout]').val()]).toEqual([400, 1, anna.email]);
  const registered = async (invitationToken: string, username: string) =>
    JSON.parse(String((await register({ invitationToken, username, password: PASSWORD })).body));
  const stranger = await registered(await tokenOf(false), `Other ${schoolId}`);
  expect(stranger.id).toBeGreaterThan(anna.id);
  await db.updateTable('users').set({ email: 'moved@school.example' }).where('id', '=', stranger.id).execute();
  const token = await tokenOf(true);
  const form = await documentAt(`/register?token=${token}`);
  expect(form.$('input[name=username]').val()).toBe(anna.username);
  const back = { id: anna.id, username: `Back ${schoolId}`, name: 'Anna Berg' };
  expect(await registered(token, back.username)).toMatchObject(back);
});

nightly('an invitation to come back ends when the person is back under another address (B638)', async () => {
  const token = await tokenOf(true);
  const back = { email: 'elsewhere@school.example', deleted_at: null, password_hash: 'x' };
  await db.updateTable('users').set(back).where('id', '=', anna.id).execute();
  expect((await register({ invitationToken: token, username: 'x', password: PASSWORD })).status).toBe(404);
});
