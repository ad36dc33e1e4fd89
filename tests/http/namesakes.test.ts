import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { toTailNumbersWithYears } from '#app/domain/aircraft/namesakes.server.ts';
import { namesakeMarksOf } from '#app/domain/people/namesakes.server.ts';
import { loader as exportCall } from '#app/routes/api.flight-logs.export.ts';
import { loader as hoursCall } from '#app/routes/api.flight-logs.hours.export/route.ts';
import { completed, insert, makeFlight, testDatabase } from '#tests/support/makers.ts';
import { makeAircraft, makeSchool, makeSquawk, makeUser } from '#tests/support/school.ts';
import { documentAt, nightly, textOf, textsOf } from '#tests/support/pages.ts';
import { call, cookieOf, getRequest } from '#tests/support/requests.ts';

const { db } = await testDatabase();
const schoolId = await makeSchool(db);
const admin = await cookieOf(db, await makeUser(db, schoolId, 'administrator', 'ada'));

const leave = ({ id }: { id: number }) =>
  db.updateTable('users').set({ deleted_at: new Date(), password_hash: null }).where('id', '=', id).execute();
// The same name at another school is none of a namesake's.
await leave(await makeUser(db, await makeSchool(db), 'instructor', 'ivan'));
const former = await makeUser(db, schoolId, 'instructor', 'ivan');
await leave(former);
const ivan = await makeUser(db, schoolId, 'instructor', 'Ivan');
const years = { created_at: new Date('2019-05-01Z'), deleted_at: new Date('2024-05-01Z') };
const retired = await makeAircraft(db, schoolId, { tail_number: 'N512FL', ...years });
const flying = await makeAircraft(db, schoolId, { tail_number: 'N512FL', created_at: new Date('2025-03-01Z') });
const landed = completed('2026-05-12T10:00Z', '2026-05-12T11:00Z');
const byFormer = await makeFlight(db, former, retired, { ...landed, instructor_id: ivan.id, completed_by: former.id });
await makeFlight(db, ivan, flying, { ...landed, instructor_id: former.id, completed_by: ivan.id });

const MARK = 'since 2025';
const since = { [former.id]: '2019-05-01Z', [ivan.id]: '2025-03-01Z' };
for (const [id, day] of Object.entries(since))
  await sql`update users set created_at = ${day}::timestamptz where id = ${Number(id)}`.execute(db);

it('the second of two namesakes is marked with a year in users, flight logs, details and choices (B642, C86)', async () => {
  const users = await documentAt('/users', admin);
  expect(textOf(users.$('.user-rows > li:has(h2:contains("Ivan"))'))).toContain(MARK);
  const list = await documentAt('/flight-logs', admin);
  const cells = textsOf(list.$, 'tbody td');
  expect(cells).toEqual(expect.arrayContaining(['ivan', `Ivan (${MARK})`]));
  const details = await documentAt(`/flight-logs?log=${byFormer}`, admin);
  expect(textOf(details.$('dialog'))).toContain(`Ivan (${MARK})`);
  const activity = await documentAt('/activity', admin);
  const options = textsOf(activity.$, 'select[name=person] option');
  expect(options).toEqual(expect.arrayContaining(['ivan', `Ivan (${MARK})`]));
});

it('the filter and the CSV tell a removed aircraft from its namesake by years, people by their ids (B643)', async () => {
  const { $ } = await documentAt('/flight-logs', admin);
  const options = textsOf($, 'select[name=aircraftId] option');
  expect(options).toEqual(['All Aircraft', 'N512FL', 'N512FL (2019–2024)']);
  const answer = await exportCall(call(getRequest('/api/flight-logs/export', admin)));
  if (!(answer instanceof Response)) throw new Error('No CSV.');
  const rows = parse(await answer.text(), { bom: true, columns: true }) as Record<string, string>[];
  const columns = ['pilot id', 'instructor id', 'aircraft id', 'tail number with years', 'aircraft', 'pilot'];
  const identities = rows.map((row) => columns.map((column) => row[column]));
  expect(identities).toEqual([
    [ivan.id, former.id, flying, `N512FL (${MARK})`, 'N512FL', 'Ivan'].map(String),
    [former.id, ivan.id, retired, 'N512FL (2019–2024)', 'N512FL', 'ivan'].map(String),
  ]);
});

it('the hours of namesakes are told apart, on the page by years and in files by ids (B1658, C86)', async () => {
  const namesOn = async (by: string) => {
    const { $ } = await documentAt(`/flight-logs/hours?from=2026-05-01&to=2026-05-31&by=${by}`, admin);
    return textsOf($, 'table tbody th').slice(0, -1);
  };
  for (const by of ['pilot', 'instructor']) expect(await namesOn(by), by).toEqual(['ivan (removed)', `Ivan (${MARK})`]);
  expect(await namesOn('aircraft')).toEqual(['N512FL (2019–2024) (removed)', `N512FL (${MARK})`]);
  const idsIn = async (by: string) => {
    const path = `/api/flight-logs/hours/export?from=2026-05-01&to=2026-05-31&by=${by}`;
    const answer = await hoursCall(call(getRequest(path, admin)));
    if (!(answer instanceof Response)) throw new Error('No CSV.');
    const rows = parse(await answer.text(), { bom: true, columns: true }) as Record<string, string>[];
    return rows.map((row) => [row[by], row[`${by} id`]]);
  };
  const people = [
    ['ivan', String(former.id)],
    ['Ivan', String(ivan.id)],
    ['Sum', ''],
  ];
  expect(await idsIn('pilot')).toEqual(people);
  expect(await idsIn('instructor')).toEqual(people);
  expect(await idsIn('aircraft')).toEqual([
    ['N512FL', String(retired)],
    ['N512FL', String(flying)],
    ['Sum', ''],
  ]);
});

nightly('namesakes of the same year are told apart by their ids, in the school’s time zone (B642, B643)', () => {
  const person = (id: number, createdAt: string) => ({ id, usernameKey: 'ivan', createdAt: new Date(createdAt) });
  const people = [person(7, '2026-01-01T03:00Z'), person(8, '2026-01-01T09:00Z'), person(9, '2026-05-01Z')];
  expect([...namesakeMarksOf(people, 'America/Los_Angeles').values()]).toEqual([
    ...['since 2025', 'since 2026, id 8', 'since 2026, id 9'],
  ]);
  const anna = { ...person(10, '2026-06-01Z'), usernameKey: 'anna' };
  expect(namesakeMarksOf([...people.slice(1, 2), anna], 'UTC').get(10)).toBe('since 2026');
  const plane = (id: number, removedAt: Date | null) => ({
    id,
    tailNumber: 'N1',
    addedAt: new Date('2026-05-01Z'),
    removedAt,
  });
  const planes = [plane(3, new Date('2026-06-01Z')), plane(4, new Date('2026-07-01Z')), plane(5, null)];
  expect([...toTailNumbersWithYears(planes, 'UTC').values()]).toEqual([
    'N1 (2026, id 3)',
    'N1 (2026, id 4)',
    'N1 (since 2026)',
  ]);
});

it('a later namesake is marked as author of whatever has one, an invitation too (B809, B929, C86)', async () => {
  const marked = `Ivan (${MARK})`;
  const squawk_id = await makeSquawk(db, ivan, flying, { text: 'Flat tyre' });
  const event = { school_id: schoolId, squawk_id, user_id: ivan.id, state: 'open' as const };
  await db.insertInto('squawk_events').values(event).execute();
  const revision = { field: 'end_hobbs', old_value: '101.2', new_value: '101.3', reason: 'misread' } as const;
  const about = { school_id: schoolId, flight_log_id: byFormer, user_id: ivan.id };
  await insert(db, 'flight_log_revisions', { ...about, ...revision });
  await makeFlight(db, ivan, flying, { voided_at: new Date(), voided_by: ivan.id, void_reason: 'wrong aircraft' });
  const meter = { meter_type: 'hobbs', reason: 'replaced', old_last: '200.0', first_reading: '0.0' } as const;
  const declared = { school_id: schoolId, aircraft_id: flying, declared_by: ivan.id, started_at: new Date() };
  await insert(db, 'meter_segments', { ...meter, ...declared });
  const textAt = async (path: string, part: string) => {
    const { $ } = await documentAt(path, admin);
    return textOf($(part));
  };
  expect(await textAt(`/squawks/${squawk_id}`, 'main')).toContain(marked);
  expect(await textAt(`/airplanes/${flying}`, 'main')).toContain(marked);
  // As instructor, and as who corrected.
  expect((await textAt(`/flight-logs/${byFormer}`, 'main')).split(marked)).toHaveLength(3);
  // As pilot, and as who cancelled it.
  expect((await textAt('/flight-logs?show=cancelled', 'tbody')).split(marked)).toHaveLength(3);
  expect(await textAt(`/airplanes/${flying}/meters`, 'main')).toContain(marked);
  const invitation = { school_id: schoolId, role: 'student' as const, invited_by: ivan.id, expires_at: new Date(0) };
  const pending = { ...invitation, name: 'Ben', email: 'ben@mail.example', token_hash: 'pending' };
  const joined = { accepted_at: new Date(), accepted_by: ivan.id, token_hash: 'joined' };
  await insert(db, 'invitations', pending, { ...pending, ...joined, email: 'ivan@mail.example' });
  const { $ } = await documentAt('/users/invitations', admin);
  expect(textOf($('main'))).toContain(`invited by Ivan (${MARK})`);
  expect(textOf($('main'))).toContain(`as Ivan (${MARK})`);
});
