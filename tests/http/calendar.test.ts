import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { completed, makeFlight, type Member, testDatabase } from '#tests/support/makers.ts';
import { makeAircraft, makePeople, makeSchool, makeUser } from '#tests/support/school.ts';
import { answerTo, cookieOf, formRequest, getRequest, handleRequest } from '#tests/support/ask.ts';
import { documentAt, nightly, textOf } from '#tests/support/pages.ts';
import { deleteAircraft } from '#app/domain/aircraft/change-aircraft.server.ts';
import { makeCalendarLink } from '#app/domain/calendar/queries.server.ts';
import {
  addInspection,
  changeInspection,
  completeInspection,
  removeInspection,
} from '#app/domain/inspections/save-inspection.server.ts';
import { deleteUser } from '#app/domain/people/change-user.server.ts';
import { signOutEverywhere } from '#app/domain/people/end-sessions.server.ts';
import type { Role } from '#db/roles.ts';
import { MAX_CALENDAR_REQUESTS, MAX_WRONG_CALENDAR_LINKS } from '#app/limits.ts';
import { calendarFile } from '#app/server/calendar.server.ts';
import { redactUrl } from '#app/server/observability/request-log.server.ts';
import { readCalendar } from '#tests/support/calendar.ts';

const { db } = await testDatabase();

const HOUR_MS = 3_600_000;
const BEGAN_MS = Math.floor(Date.now() / 1000) * 1000;
const ago = (hours: number) => new Date(BEGAN_MS - hours * HOUR_MS);
const stamp = (at: Date) => `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
const ended = (hours: number) => completed(ago(hours).toISOString(), ago(hours - 1).toISOString());
const pathIn = (link: string) => link.replace(/^.*\/calendar\//, '/calendar/');

let people: Record<Role, Member>, aircraftId: number;
let network = 0;
beforeEach(async () => {
  const schoolId = await makeSchool(db);
  people = await makePeople(db, schoolId);
  aircraftId = await makeAircraft(db, schoolId, { tail_number: 'N46, FL;Ö' });
  // Wrong links are counted by network.
  network += 1;
});

const linkOf = async (who: Role) => `/calendar/${await makeCalendarLink(db, people[who], aircraftId)}.ics`;
const ask = (path: string, headers: Record<string, string> = {}) =>
  answerTo(getRequest(path, '', { 'x-client-address': `192.0.2.${network}`, ...headers }));
const calendarAt = async (path: string) => readCalendar(String((await ask(path)).body));
const calendarOf = async (who: Role) => calendarAt(await linkOf(who));
const post = async (intent: string, who: Role = 'student', id = aircraftId) =>
  handleRequest(formRequest(`/airplanes/${id}/calendar`, { intent }, await cookieOf(db, people[who])));
const linkIn = (html: string) => /<code class="secret">([^<]+)</.exec(html)?.[1] ?? '';
const linkRows = () => db.selectFrom('calendar_links').selectAll().where('aircraft_id', '=', aircraftId).execute();

it('the calendar has twelve months of flights in UTC and inspections due on a day, in the form of RFC 5545 (B875)', async () => {
  const flown = await makeFlight(db, people.student, aircraftId, ended(30));
  const stated = { departed_at: ago(9.5), landed_at: ago(9.25) };
  const late = await makeFlight(db, people.instructor, aircraftId, { ...ended(10), ...stated });
  await makeFlight(db, people.student, aircraftId, ended(366 * 24));
  const voided = { voided_at: ago(1), voided_by: people.student.id, void_reason: 'Weather' };
  await makeFlight(db, people.student, aircraftId, { created_at: ago(2), ...voided });
  const elsewhere = await makeAircraft(db, people.student.schoolId);
  await makeFlight(db, people.student, elsewhere, ended(5));
  const name = `Annual; with engine, propeller and \\ ${'ü'.repeat(60)}`;
  const due = { name, due: { at: 'date', value: '2031-03-01' }, interval: null } as const;
  const { id } = await addInspection(db, people.administrator, aircraftId, due);
  await addInspection(db, people.administrator, aircraftId, { ...due, due: { at: 'tach', value: '500' } });
  const removed = await addInspection(db, people.administrator, aircraftId, { ...due, name: 'Removed' });
  await removeInspection(db, people.administrator, removed.id);
  const { properties, events } = await calendarOf('student');
  expect(properties).toMatchObject({
    VERSION: '2.0',
    'X-WR-CALNAME': 'N46, FL;Ö, Flightline',
    'REFRESH-INTERVAL': 'PT1H',
  });
  expect(events).toHaveLength(3);
  expect(events[0]).toMatchObject({
    ...{ UID: `flight-${late}@localhost`, DTSTART: stamp(ago(9.5)), DTEND: stamp(ago(9.25)) },
    ...{ 'LAST-MODIFIED': stamp(ago(9)), SEQUENCE: '3600', SUMMARY: `N46, FL;Ö, ${people.instructor.username}` },
    URL: `http://localhost:3000/flight-logs/${late}`,
  });
  expect(events[1]).toMatchObject({
    UID: `flight-${flown}@localhost`,
    DTSTART: stamp(ago(30)),
    DTEND: stamp(ago(29)),
  });
  expect(events[2]).toMatchObject({
    ...{ UID: `inspection-${id}@localhost`, DTSTART: '20310301', 'DTSTART;': ';VALUE=DATE' },
    ...{ SUMMARY: `N46, FL;Ö: ${name} due`, TRANSP: 'TRANSPARENT' },
  });
  expect(events[2]).not.toHaveProperty('DTEND');
});

nightly('an event that changes keeps its UID and gets a higher SEQUENCE (B875)', async () => {
  const flight = await makeFlight(db, people.student, aircraftId, { created_at: ago(3) });
  const interval = { count: 12, unit: 'months' } as const;
  const due = { name: 'Annual', due: { at: 'date', value: '2031-03-01' }, interval } as const;
  const { id } = await addInspection(db, people.administrator, aircraftId, due);
  await sql`update inspections set changed_at = ${ago(1)} where id = ${id}`.execute(db);
  const link = await linkOf('student');
  const before = (await calendarAt(link)).events;
  const readings = { end_hobbs: '101.2', end_tach: '91.0' };
  const end = { ...readings, completed_at: new Date(Date.now() + 2000), completed_by: people.student.id };
  await db.updateTable('flight_logs').set(end).where('id', '=', flight).execute();
  await changeInspection(db, people.administrator, id, { ...due, name: 'Annual inspection' });
  const after = (await calendarAt(link)).events;
  expect(after.map(({ UID }) => UID)).toEqual(before.map(({ UID }) => UID));
  expect(after[1]?.SUMMARY).toContain('Annual inspection due');
  for (const [index, event] of after.entries()) {
    expect(Number(event.SEQUENCE)).toBeGreaterThan(Number(before[index]?.SEQUENCE));
    expect((event['LAST-MODIFIED'] ?? '') > (before[index]?.['LAST-MODIFIED'] ?? '')).toBe(true);
  }
  const later = new Date(Date.now() + 5000);
  const revision = { field: 'end_hobbs', old_value: '101.2', new_value: '101.3', reason: 'Misread' } as const;
  const { schoolId: school_id, id: user_id } = people.student;
  const row = { ...revision, school_id, flight_log_id: flight, user_id, created_at: later };
  await db.insertInto('flight_log_revisions').values(row).execute();
  expect((await calendarAt(link)).events[0]?.['LAST-MODIFIED']).toBe(stamp(later));
  await completeInspection(db, people.administrator, id, { doneOn: '2026-02-01', reading: undefined });
  expect((await calendarAt(link)).events[1]).toMatchObject({ UID: after[1]?.UID, DTSTART: '20270201' });
});

it('an open flight ends in an hour, and names its pilot to administrators and to the pilot alone (B875, C79)', async () => {
  await makeFlight(db, people.student, aircraftId, { created_at: ago(2) });
  const seen = async (who: Role) => (await calendarOf(who)).events.map(({ SUMMARY }) => SUMMARY);
  expect(await seen('instructor')).toEqual(['N46, FL;Ö (open)']);
  expect(await seen('student')).toEqual([`N46, FL;Ö (open), ${people.student.username}`]);
  expect(await seen('administrator')).toEqual([`N46, FL;Ö (open), ${people.student.username}`]);
  const asked = Date.now();
  const { DTEND = '' } = (await calendarOf('instructor')).events[0] ?? {};
  expect(DTEND >= stamp(new Date(asked + 0.74 * HOUR_MS)) && DTEND <= stamp(new Date(Date.now() + HOUR_MS))).toBe(true);
  const administrators = await linkOf('administrator');
  await db.updateTable('users').set({ role: 'student' }).where('id', '=', people.administrator.id).execute();
  expect((await calendarAt(administrators)).events[0]?.SUMMARY).toBe('N46, FL;Ö (open)');
});

nightly('an open flight that goes on has another version, and one that ended as it began no end (B875)', () => {
  const open = { id: 1, checkedOutAt: ago(2), start: ago(2), end: null, pilot: null, changedAt: ago(2) };
  const contents = { aircraft: { id: 1, tailNumber: 'N46FL' }, flights: [open], inspections: [] };
  const [first, later] = [ago(1), ago(0)].map((now) => readCalendar(calendarFile(contents, now)).events[0]);
  expect((later?.DTEND ?? '') > (first?.DTEND ?? '')).toBe(true);
  expect(Number(later?.SEQUENCE)).toBeGreaterThan(Number(first?.SEQUENCE));
  const flight = { id: 1, checkedOutAt: ago(2), start: ago(2), end: ago(2), pilot: null, changedAt: ago(1) };
  const short = { aircraft: { id: 1, tailNumber: 'N46FL' }, flights: [flight], inspections: [] };
  expect(readCalendar(calendarFile(short, ago(0))).events[0]).not.toHaveProperty('DTEND');
});

it('a calendar that has not changed is answered with 304, and HEAD with the same headers (B875)', async () => {
  await makeFlight(db, people.student, aircraftId, ended(30));
  const link = await linkOf('student');
  const first = await ask(link);
  const tag = first.headers.get('etag') ?? '';
  expect(first.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  expect(first.headers.get('cache-control')).toBe('private, no-cache');
  expect(await ask(link, { 'if-none-match': tag })).toMatchObject({ status: 304, body: '' });
  const head = await handleRequest(
    new Request(getRequest(link, '', { 'x-client-address': `192.0.2.${network}` }), { method: 'HEAD' }),
  );
  expect([head.status, head.headers.get('etag')]).toEqual([200, tag]);
  await makeFlight(db, people.student, aircraftId, ended(20));
  expect((await ask(link, { 'if-none-match': tag })).status).toBe(200);
});

it('each role makes, replaces and removes its own calendar link, which is shown once and stored as a hash (B876)', async () => {
  for (const who of ['student', 'instructor', 'administrator'] as const) {
    const first = linkIn(await (await post('make', who)).text());
    expect(first).toMatch(/^http:\/\/localhost:3000\/calendar\/[\w-]{43}\.ics$/);
    const page = await (
      await handleRequest(getRequest(`/airplanes/${aircraftId}`, await cookieOf(db, people[who])))
    ).text();
    expect(page).toContain('Replace Calendar Link');
    expect(page).not.toContain(first);
    expect(JSON.stringify(await linkRows())).not.toContain(first.replace(/^.*\/|\.ics$/g, ''));
    await sql`update calendar_links set made_at = ${ago(48)} where user_id = ${people[who].id}`.execute(db);
    const second = linkIn(await (await post('make', who)).text());
    expect((await linkRows())[0]?.made_at.getTime()).toBeGreaterThan(ago(1).getTime());
    expect([(await ask(pathIn(first))).status, (await ask(pathIn(second))).status]).toEqual([404, 200]);
    expect((await post('remove', who)).status).toBe(303);
    expect((await ask(pathIn(second))).status).toBe(404);
  }
  expect(await linkRows()).toEqual([]);
  const events = db.selectFrom('audit_entries').select('action').where('subject_id', '=', aircraftId);
  const actions = (await events.where('user_id', '=', people.student.id).orderBy('id').execute()).map(
    (row) => row.action,
  );
  expect(actions).toEqual(['made calendar link', 'made calendar link', 'removed calendar link']);
});

nightly('a form sent again shows the one link that works; the page says when it was made (B876)', async () => {
  const cookie = await cookieOf(db, people.student);
  const requestId = 'b8a3a5a0-6f0e-4f6c-9a53-0d5b6e9c1f99';
  const send = () =>
    handleRequest(formRequest(`/airplanes/${aircraftId}/calendar`, { intent: 'make', requestId }, cookie));
  await send();
  const link = linkIn(await (await send()).text());
  expect([(await ask(pathIn(link))).status, (await linkRows()).length]).toEqual([200, 1]);
  const entries = db.selectFrom('audit_entries').select('action').where('user_id', '=', people.student.id);
  expect(await entries.execute()).toEqual([{ action: 'made calendar link' }]);
  const member = await makeUser(db, await makeSchool(db, { time_zone: 'Pacific/Kiritimati' }));
  const id = await makeAircraft(db, member.schoolId);
  const removals = async () =>
    (await documentAt(`/airplanes/${id}/calendar`, await cookieOf(db, member))).$('button[value=remove]').length;
  expect(await removals()).toBe(0);
  await makeCalendarLink(db, member, id);
  expect(await removals()).toBe(1);
  const made = { made_at: new Date('2026-05-12T12:00:00Z') };
  await db.updateTable('calendar_links').set(made).where('aircraft_id', '=', id).execute();
  const { $ } = await documentAt(`/airplanes/${id}/calendar`, await cookieOf(db, member));
  expect(textOf($('main'))).toContain('made 13 May 2026');
});

nightly.each<[string, () => Promise<unknown>]>([
  ['its user is deleted', () => deleteUser(db, people.administrator, people.student.id)],
  ['its user signs out everywhere', () => signOutEverywhere(db, people.student)],
  ['its aircraft is removed', () => deleteAircraft(db, people.administrator, aircraftId)],
])('a link ends when %s (B876)', async (_, end) => {
  const link = await linkOf('student');
  expect((await ask(link)).status).toBe(200);
  await end();
  expect((await ask(link)).status).toBe(404);
  expect(await linkRows()).toEqual([]);
});

it('a link without a second factor that is asked for shows nothing; removing the own leaves others (B876)', async () => {
  const links = [await linkOf('administrator'), await linkOf('student')];
  const { schoolId } = people.administrator;
  await db.updateTable('schools').set({ administrators_need_second_factor: true }).where('id', '=', schoolId).execute();
  expect(await Promise.all(links.map(async (link) => (await ask(link)).status))).toEqual([404, 200]);
  for (const who of ['student', 'instructor'] as const) await post('make', who);
  await db.deleteFrom('calendar_links').where('user_id', '=', people.administrator.id).execute();
  expect((await post('remove', 'student')).status).toBe(303);
  expect((await linkRows()).map((link) => link.user_id)).toEqual([people.instructor.id]);
});

it('a link that has ended is as none; making one asks for the password anew, removing not (B876, B923)', async () => {
  const link = await linkOf('student');
  await post('remove');
  const answers = [];
  for (const path of [link, '/calendar/nothing.ics', link.replace('.ics', ''), '/calendar/.ics']) {
    const { status, body, headers } = await ask(path);
    answers.push(JSON.stringify([status, body, [...headers]]));
  }
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).toContain('[404,"Calendar not found"');
  const cookie = await cookieOf(db, people.student);
  const press = (intent: string) => handleRequest(formRequest(`/airplanes/${aircraftId}/calendar`, { intent }, cookie));
  await linkOf('student');
  const [before] = await linkRows();
  const { id } = people.student;
  await sql`update sessions set proved_at = ${ago(0.3)} where user_id = ${id}`.execute(db);
  expect((await press('make')).headers.get('location')).toMatch(/^\/confirm-password\?/);
  expect(await linkRows()).toEqual([before]);
  expect((await press('remove')).headers.get('location')).toBe(`/airplanes/${aircraftId}`);
  expect(await linkRows()).toEqual([]);
});

nightly('a log shows no link to a calendar, and no token of an invitation, however short (B876, C34)', () => {
  const logged = ['/calendar/short.ics?x', '/api/invitations/short', '/api/invitations/12'].map(redactUrl);
  expect(logged).toEqual(['/calendar/...', '/api/invitations/...', '/api/invitations/12']);
});

it('a link asked for too often in a minute waits, as a network of wrong links; others are answered (B876, B1298)', async () => {
  const link = await linkOf('student');
  for (let count = 0; count < MAX_WRONG_CALENDAR_LINKS; count += 1)
    expect((await ask(`/calendar/${count}.ics`)).status).toBe(404);
  expect((await ask('/calendar/one-more.ics')).status).toBe(429);
  expect((await ask(link)).status).toBe(200);
  network += 1;
  expect((await ask('/calendar/one-more.ics')).status).toBe(404);
  const [often, other] = [await linkOf('instructor'), await linkOf('student')];
  for (let count = 0; count < MAX_CALENDAR_REQUESTS; count += 1) expect((await ask(often)).status).toBe(200);
  const refused = await ask(often);
  expect([refused.status, (await ask(other)).status]).toEqual([429, 200]);
  const second = await makeAircraft(db, people.instructor.schoolId);
  const ofSecond = `/calendar/${await makeCalendarLink(db, people.instructor, second)}.ics`;
  expect((await ask(ofSecond)).status).toBe(200);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});
