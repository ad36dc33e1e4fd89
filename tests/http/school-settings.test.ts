import { saveSchool } from '#app/domain/school/save-school.server.ts';
import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { action as schoolCall, loader as schoolRead } from '#app/routes/api.flight-school.ts';
import { loader as dashboard } from '#app/routes/_index/route.tsx';
import { action, loader } from '#app/routes/school-settings/route.tsx';
import { type Actor, makeAircraft, makeFlight, makeSchool, makeUser, testDatabase } from '#tests/support/makers.ts';
import { answerOf, answerTo, call, cookieOf, formRequest, getRequest, jsonRequest } from '#tests/support/ask.ts';
import { nightly } from '#tests/support/takes-all.ts';
import { readToast } from '#app/server/flash.server.ts';
import { eventsOf } from '#tests/support/audit.ts';

const { db } = await testDatabase();
let schoolId: number, admin: string;
beforeEach(async () => {
  schoolId = await makeSchool(db, { time_zone: 'America/Los_Angeles' });
  admin = await cookieOf(db, await makeUser(db, schoolId, 'administrator'));
});

const typed = { name: 'Skyhawk School', address: '2 Apron Lane', phone: '555 0199' };
const put = (body: unknown, cookie = admin, headers = {}) =>
  schoolCall(call(jsonRequest('PUT', '/api/flight-school', body, cookie, headers)));
const post = (fields: Record<string, string>, cookie = admin) =>
  action(call(formRequest('/school-settings', fields, cookie)));
const shown = (cookie = admin) => loader(call(getRequest('/school-settings', cookie)));
const rowOf = (id: number) => db.selectFrom('schools').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

it('the settings are filled in; meter photos and reminders are chosen, and taken back (B132, B657, B1315)', async () => {
  expect((await shown()).school).toEqual({
    name: 'Cascade Flight School',
    address: '1 Field Road',
    phone: '555 0100',
    timeZone: 'America/Los_Angeles',
    activityKeptDays: '730',
    administratorsNeedSecondFactor: '',
    givesMeterPhotos: '',
    reminderAfterHours: '6',
  });
  expect((await shown()).zones).toContain('America/Los_Angeles');
  const given = async () => (await rowOf(schoolId)).gives_meter_photos;
  const { givesMeterPhotos: _kept, ...fields } = (await shown()).school as Record<string, string>;
  delete fields.administratorsNeedSecondFactor;
  expect(await given()).toBe(false);
  await post({ ...fields, givesMeterPhotos: 'on' });
  expect([await given(), (await shown()).school]).toEqual([true, expect.objectContaining({ givesMeterPhotos: 'on' })]);
  await post(fields);
  expect(await given()).toBe(false);
  const chosen = async (reminderAfterHours: string) => {
    await post({ ...typed, reminderAfterHours });
    return (await rowOf(schoolId)).reminder_after_hours;
  };
  expect(await chosen('8')).toBe(8);
  expect((await shown()).school).toMatchObject({ reminderAfterHours: '8' });
  expect(await chosen('never')).toBeNull();
  expect((await shown()).school).toMatchObject({ reminderAfterHours: 'never' });
  for (const wrong of ['0', '169', '1.5', 'x']) expect(await chosen(wrong)).toBeNull();
  await post(typed);
  expect((await rowOf(schoolId)).reminder_after_hours).toBeNull();
});

nightly('the days for which activity is kept are those of the list, and what a call has set (B132)', async () => {
  const keep = (days: number) =>
    db.updateTable('schools').set({ activity_kept_days: days }).where('id', '=', schoolId).execute();
  await keep(400);
  const page = await shown();
  await keep(730);
  if (page.zones === null) throw new Error('no form');
  expect(page.keptDays.map(({ label }) => label)).toEqual([
    ...['90 days', '180 days', '1 year', '400 days', '2 years', '5 years', '10 years'],
  ]);
});

it('the page says that the activity is guarded less where the product could change it, and else nothing (B1452)', async () => {
  const guard = async () => {
    const page = await shown();
    return page.zones === null ? 'no form' : page.guard;
  };
  expect(await guard()).toBe(null);
  await sql`grant delete on audit_entries to flightline_app`.execute(db);
  expect(await guard()).toContain('guarded less than it could be');
  await sql`revoke delete on audit_entries from flightline_app`.execute(db);
  expect(await guard()).toBe(null);
});

it('saved school settings are announced, audited, and on the dashboard (B137, C76)', async () => {
  const answer = await post({ ...typed, timeZone: 'Europe/Berlin' });
  if (!(answer instanceof Response)) throw new Error('no redirect');
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/school-settings']);
  const { toast } = await readToast(getRequest('/', answer.headers.get('set-cookie')?.split(';')[0]));
  expect(toast).toMatchObject({ title: 'Success', text: 'School settings updated successfully', tone: 'default' });
  expect(await rowOf(schoolId)).toMatchObject({ ...typed, time_zone: 'Europe/Berlin' });
  expect(JSON.stringify(await dashboard(call(getRequest('/', admin))))).toContain('Skyhawk School');
  expect(await eventsOf(db, schoolId)).toMatchObject([
    { action: 'saved school settings', before: { name: 'Cascade Flight School' }, after: { ...typed } },
  ]);
});

it('each empty field and no time zone of the school settings has its message; typed ones stay (B134-B136, C41)', async () => {
  expect(await post({ name: ' ', address: '', phone: '', timeZone: 'UTC' })).toMatchObject({
    init: { status: 400 },
    data: {
      result: {
        error: {
          name: ['School name is required'],
          address: ['Address is required'],
          phone: ['Phone number is required'],
        },
        initialValue: { timeZone: 'UTC' },
      },
    },
  });
  const error = { timeZone: ['Please select a time zone'] };
  for (const timeZone of ['+05:00', 'Mars/Olympus', "UTC'; drop", 'GMT+25'])
    expect(await post({ ...typed, timeZone }), timeZone).toMatchObject({ data: { result: { error } } });
});

nightly('PUT /api/flight-school sets for how many days the activity is kept, within its limits (B465)', async () => {
  for (const activityKeptDays of [90, 3650, '730'])
    expect(await (await put({ ...typed, activityKeptDays })).json()).toMatchObject({
      activityKeptDays: Number(activityKeptDays),
    });
  for (const activityKeptDays of [89, 3651, 'x', '', 90.5, null]) {
    const answer = await put({ ...typed, activityKeptDays });
    expect([answer.status, await answer.text()]).toEqual([400, 'Activity is kept for 90 to 3650 days']);
  }
});

it('PUT /api/flight-school stores name, address and phone, each with its message where it is empty (B232, B245)', async () => {
  await db.updateTable('schools').set({ time_zone: 'Asia/Tokyo' }).where('id', '=', schoolId).execute();
  const answer = await put(typed);
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { ...typed, timeZone: 'Asia/Tokyo', activityKeptDays: 730 },
  ]);
  expect(await (await schoolRead(call(getRequest('/api/flight-school', admin)))).json()).toMatchObject(typed);
  for (const [field, message] of Object.entries({
    ...{ name: 'School name is required', address: 'Address is required', phone: 'Phone number is required' },
  }))
    for (const value of ['', '  ', undefined, 7, null]) {
      const answer = await put({ ...typed, [field]: value });
      expect([answer.status, await answer.text()]).toEqual([400, message]);
    }
});

it('an administrator without a school finds nothing of one; what needs one is refused in words (B460, C36)', async () => {
  const id = await makeFlight(db, await makeUser(db, schoolId), await makeAircraft(db, schoolId));
  const { id: founderId } = await schoolless();
  const cookie = await cookieOf(db, { id: founderId });
  for (const path of ['flight-logs', 'flight-logs/open', 'invitations'])
    expect(await answerTo(getRequest(`/api/${path}`, cookie)), path).toMatchObject({ status: 200, body: '[]' });
  expect((await answerTo(getRequest(`/api/flight-logs/${id}`, cookie))).status).toBe(404);
  for (const [path, found] of [
    ['/airplanes', { fleet: { value: [], failure: null } }],
    ['/users', { users: [] }],
    ['/activity', { events: [] }],
  ] as const)
    expect((await answerTo(getRequest(path, cookie))).body, path).toMatchObject(found);
  const person = { email: 'ben@mail.example', role: 'student' };
  for (const [method, path, body] of [
    ['POST', 'aircraft', { tailNumber: 'N1', make: 'Cessna', model: '172S', year: 2004 }],
    ['PUT', 'aircraft/1/status', { status: null }],
    ['DELETE', 'aircraft/1', undefined],
    ['POST', 'register', { ...person, username: 'Ben', password: 'gull-9' }],
    ['POST', 'invitations', { ...person, name: 'Ben' }],
  ] as const) {
    const { status, body: said } = await answerTo(jsonRequest(method, `/api/${path}`, body, cookie));
    expect([path, status, said]).toEqual([path, 409, expect.stringContaining('No flight school assigned')]);
  }
  const deletion = formRequest('/users?index', { intent: 'delete-user', userId: '1' }, cookie);
  expect(await answerTo(deletion)).toMatchObject({
    status: 409,
    body: { toast: { text: 'No flight school assigned' } },
  });
});

it('an administrator without a school creates one, however many saves arrive at once, and belongs to it (C25)', async () => {
  const founder = await schoolless();
  const cookie = await cookieOf(db, founder);
  expect((await shown(cookie)).school).toEqual({
    timeZone: expect.any(String),
    activityKeptDays: '730',
    administratorsNeedSecondFactor: '',
    givesMeterPhotos: '',
    reminderAfterHours: '6',
  });
  expect((await put(typed, cookie)).status).toBe(200);
  const { school_id: id } = await db
    .selectFrom('users')
    .select('school_id')
    .where('id', '=', founder.id)
    .executeTakeFirstOrThrow();
  expect(await rowOf(id ?? 0)).toMatchObject(typed);
  expect((await shown(cookie)).school).toMatchObject(typed);
  const audit = await db.selectFrom('audit_entries').selectAll().where('user_id', '=', founder.id).execute();
  expect(audit).toMatchObject([{ action: 'created school', school_id: id, before: null }]);
  const another = await schoolless();
  const before = await countSchools();
  await Promise.all(['1', '2', '3', '4'].map((phone) => saveSchool(db, another, { ...typed, phone })));
  expect(await countSchools()).toBe(before + 1);
});

async function schoolless(): Promise<Actor> {
  const user = await makeUser(db, schoolId, 'administrator');
  await db.updateTable('users').set({ school_id: null }).where('id', '=', user.id).execute();
  return { ...user, schoolId: null };
}

it('no call and no form deletes a school (C68)', async () => {
  const answer = await answerTo(jsonRequest('DELETE', '/api/flight-school', undefined, admin));
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, PUT']);
  await answerOf(post({ ...typed, intent: 'delete-school' }));
  expect(await rowOf(schoolId)).toMatchObject({ id: schoolId });
});

async function countSchools(): Promise<number> {
  return (await db.selectFrom('schools').select('id').execute()).length;
}
