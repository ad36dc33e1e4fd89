import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { completed, makeFlight, type Member, testDatabase } from '#tests/support/makers.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { answerTo, cookieOf, formRequest, getRequest, jsonRequest } from '#tests/support/ask.ts';
import { nightly } from '#tests/support/takes-all.ts';
import type { Role } from '#db/roles.ts';

const { db } = await testDatabase();

let schoolId: number, pilot: Member, aircraftId: number;
beforeEach(async () => {
  schoolId = await makeSchool(db);
  pilot = await makeUser(db, schoolId);
  aircraftId = await makeAircraft(db, schoolId, { last_hobbs: '100.0', last_tach: '90.0' });
});

const ends = { endHobbsTime: '101.2', endTachTime: '91.0' };
const landed = completed('2026-05-12T08:00:00Z', '2026-05-12T09:00:00Z');
const get = async (path: string, user = pilot) => answerTo(getRequest(path, await cookieOf(db, user)));
const send = async (path: string, body: object, user = pilot) =>
  answerTo(jsonRequest('POST', path, body, await cookieOf(db, user)));
const post = async (path: string, fields: Record<string, string>, user = pilot) =>
  answerTo(formRequest(path, fields, await cookieOf(db, user)));
const start = (more: object = {}, user = pilot) =>
  send('/api/flight-logs', { aircraftId, startHobbsTime: '100.0', startTachTime: '90.0', ...more }, user);
const complete = (id: number, more: object = {}) => send(`/api/flight-logs/${id}/complete`, { ...ends, ...more });
const details = z.object({
  flight: z.object({
    details: z.object({
      readingNotes: z.array(z.string()),
      permissions: z.record(z.string(), z.boolean()),
      instruction: z.object({ totalHours: z.string().nullable(), isPilot: z.boolean() }).nullable(),
      clockHours: z.string().nullable(),
    }),
  }),
});
const detailsFor = async (id: number, user: Member) =>
  details.parse((await get(`/flight-logs?log=${id}`, user)).body).flight.details;
const userOf = (role: Role) => makeUser(db, schoolId, role);
const ROLES: Role[] = ['administrator', 'instructor', 'student'];

it.each(ROLES)('a user who is %s checks an aircraft out by the call and by the form (B276)', async (role) => {
  expect((await start({}, await userOf(role))).status).toBe(201);
  const free = String(await makeAircraft(db, schoolId));
  const answer = await post(
    '/flight-log?step=2',
    { aircraftId: free, startHobbsTime: '1', startTachTime: '1' },
    await userOf(role),
  );
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
});

nightly('an aircraft grounded while it flies is said to be checked out (C04, C05)', async () => {
  await makeFlight(db, await userOf('student'), aircraftId);
  await db.updateTable('aircraft').set({ maintenance_since: new Date() }).where('id', '=', aircraftId).execute();
  expect(await start()).toMatchObject({ status: 409, body: 'This aircraft is already checked out.' });
});

const flag = (meter: 'hobbs' | 'tachometer', kind: string, last: string) => ({ at: 'start', meter, kind, last });
const stored = (meter: 'hobbs' | 'tachometer', kind: string, last: string) => ({
  ...flag(meter, kind, last),
  reading: meter === 'hobbs' ? '100.0' : '90.0',
});

it('a start below the last reading, or more than a tenth above it, is flagged (C06)', async () => {
  for (const [startHobbsTime, startTachTime, readingFlags] of [
    ['100.00', '90', []],
    ['100.10', '90.10', []],
    ['100.11', '90.11', [flag('hobbs', 'gap', '100.0'), flag('tachometer', 'gap', '90.0')]],
    ['99.99', '89.99', [flag('hobbs', 'below', '100.0'), flag('tachometer', 'below', '90.0')]],
    ['100.0', '89.9', [flag('tachometer', 'below', '90.0')]],
  ] as const) {
    aircraftId = await makeAircraft(db, schoolId, { last_hobbs: '100.0', last_tach: '90.0' });
    const { body } = await start({ startHobbsTime, startTachTime }, await userOf('student'));
    expect(JSON.parse(String(body)), startHobbsTime).toMatchObject({ readingFlags });
  }
});

it('administrators alone read the flags in the details (C06, C33)', async () => {
  const flags = [stored('hobbs', 'below', '100.5'), stored('tachometer', 'gap', '89.0')];
  const id = await makeFlight(db, pilot, aircraftId, { ...landed, reading_flags: JSON.stringify(flags) });
  const notes = [
    'Hobbs at start lower than the last recorded reading (100.5).',
    'Tach at start: 1.0 h not logged since the last flight (89.0).',
  ];
  expect((await detailsFor(id, await userOf('administrator'))).readingNotes).toEqual(notes);
  for (const reader of [await userOf('instructor'), await userOf('student'), pilot]) {
    expect((await detailsFor(id, reader)).readingNotes).toEqual([]);
  }
});

const offers = (names: string) =>
  Object.fromEntries(
    ['complete', 'cancel', 'close', 'correct', 'ground'].map((name) => [name, names.split(' ').includes(name)]),
  );

it.each<[Role, string, string]>([
  ['administrator', 'complete cancel correct ground', 'cancel close correct ground'],
  ['instructor', 'complete cancel correct', ''],
  ['student', 'complete cancel correct', ''],
])('to a %s the own flight offers %s, and another’s %s (C08, C09, C10, C33, C81)', async (role, own, others) => {
  const user = await userOf(role);
  const ofLongAgo = role === 'administrator' ? 'correct ground' : '';
  for (const [flyer, names] of [
    [user, own],
    [pilot, others],
  ] as const) {
    const open = await makeFlight(db, flyer, aircraftId);
    expect((await detailsFor(open, user)).permissions).toEqual(offers(names));
    const over = await makeFlight(db, flyer, await makeAircraft(db, schoolId), landed);
    expect((await detailsFor(over, user)).permissions).toEqual(offers(ofLongAgo));
    aircraftId = await makeAircraft(db, schoolId);
  }
});

describe('what a check-in keeps', () => {
  let id: number;
  beforeEach(async () => {
    id = await makeFlight(db, pilot, aircraftId);
  });
  const stored = async (more: object) => JSON.parse(String((await complete(id, more)).body));

  it('an oil quantity of the call is what it means, to a tenth, and dropped where no oil was added (B931, C51)', async () => {
    const added = ['1,5', ' 2.04 ', '', '0', 1.04, 1.05, 1.15].map((oilQuantity) => ({ oilAdded: true, oilQuantity }));
    const notAdded = [false, null, undefined].map((oilAdded) => ({ refueled: true, oilAdded, oilQuantity: 2 }));
    const { fuelRecords } = await stored({ fuelRecords: [...added, ...notAdded] });
    const kept = z.array(z.looseObject({ oilQuantity: z.number().nullable() })).parse(fuelRecords);
    expect(kept.map(({ oilQuantity }) => oilQuantity)).toEqual([1.5, 2, null, 0, 1, 1.1, 1.2, null, null, null]);
    expect(kept.at(-1)).toMatchObject({ refueled: true, oilAdded: false });
  });

  nightly('the pilot may be the instructor, and the details say so (C53)', async () => {
    const own = await userOf('instructor');
    const flight = await makeFlight(db, own, await makeAircraft(db, schoolId));
    await send(`/api/flight-logs/${flight}/complete`, { ...ends, instructorId: own.id }, own);
    expect((await detailsFor(flight, own)).instruction).toMatchObject({ isPilot: true });
  });

  it('times without an instructor are dropped; one who was deleted is refused (C43, C53)', async () => {
    const times = { instructorTimeIn: '08:00', instructorTimeOut: '09:00' };
    expect(await stored(times)).toMatchObject({ instructor: null, instructorTimeIn: null, instructorTimeOut: null });
    const gone = await userOf('instructor');
    await sql`update users set deleted_at = ${new Date()}, password_hash = null where id = ${gone.id}`.execute(db);
    id = await makeFlight(db, pilot, await makeAircraft(db, schoolId));
    expect(await complete(id, { instructorId: gone.id })).toMatchObject({ status: 400, body: 'Invalid instructor' });
    const answer = await post(`/flight-log/${id}/post-check`, { ...ends, instructorId: String(gone.id) });
    expect(answer).toMatchObject({
      status: 400,
      body: { result: { error: { instructorId: ['Invalid instructor'] } } },
    });
    expect((await get(`/flight-log/${id}/post-check`)).body).toMatchObject({ instructors: { value: [] } });
  });
});

it('the duration of a flight is rounded half up from its seconds, in list and details (B177, B314, C42)', async () => {
  const id = await makeFlight(db, pilot, aircraftId, landed);
  for (const [end, hours] of [
    ['12T08:02:59', '0.0'],
    ['12T08:03:00', '0.1'],
    ['12T08:08:59', '0.1'],
    ['12T08:09:00', '0.2'],
    ['12T09:15:00', '1.3'],
    ['13T10:00:00', '26.0'],
  ] as const) {
    const completed_at = new Date(`2026-05-${end}Z`);
    await db.updateTable('flight_logs').set({ completed_at }).where('id', '=', id).execute();
    const { body } = await get(`/flight-logs?log=${id}`);
    expect(body).toMatchObject({
      logs: [{ hours }],
      flight: { details: { clockHours: hours, hobbs: { hours: '1.2' } } },
    });
  }
});

it('the first hour of a day is 00, in UTC and in the zone of the school (B314, C41)', async () => {
  const midnight = completed('2026-05-12T00:05:00Z', '2026-05-12T07:05:00Z');
  const id = await makeFlight(db, pilot, aircraftId, midnight);
  expect((await get(`/flight-logs?log=${id}`)).body).toMatchObject({
    logs: [{ started: { text: '12 May 2026, 00:05 UTC' } }],
  });
  await db.updateTable('schools').set({ time_zone: 'America/Los_Angeles' }).where('id', '=', schoolId).execute();
  expect((await get(`/flight-logs?log=${id}`)).body).toMatchObject({ logs: [{ ended: { clock: '00:05 +1 d' } }] });
});
