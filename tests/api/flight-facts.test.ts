import { drawBlankPhoto } from '#tests/support/pictures.ts';
import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { completed, makeFlight, type Member, testDatabase } from '#tests/support/makers.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { answerTo, cookieOf, getRequest, jsonRequest } from '#tests/support/ask.ts';
import { findAircraft } from '#app/domain/aircraft/queries.server.ts';
import { findFlightLog } from '#app/domain/flights/queries.server.ts';
import { ROLES } from '#db/roles.ts';

const { db } = await testDatabase();

let schoolId: number, pilot: Member, aircraftId: number;
beforeEach(async () => {
  schoolId = await makeSchool(db, { time_zone: 'America/Los_Angeles' });
  pilot = await makeUser(db, schoolId);
  aircraftId = await makeAircraft(db, schoolId, { tail_number: 'N512FL', last_hobbs: '100.0', last_tach: '90.0' });
});

const readings = { startHobbsTime: '100.0', startTachTime: '90.0' };
const ends = { endHobbsTime: '101.2', endTachTime: '91.0' };
const get = async (path: string, user: Member = pilot) => answerTo(getRequest(path, await cookieOf(db, user)));
const post = async (path: string, body: object, user: Member = pilot) =>
  answerTo(jsonRequest('POST', path, body, await cookieOf(db, user)));
const start = (more: object = {}, user: Member = pilot) =>
  post('/api/flight-logs', { aircraftId, ...readings, ...more }, user);
const complete = (id: number, more: object = {}, user: Member = pilot) =>
  post(`/api/flight-logs/${id}/complete`, { ...ends, ...more }, user);
const statusOf = async (id = aircraftId) => (await findAircraft(db, schoolId, id))?.status;
const flights = () => db.selectFrom('flight_logs').selectAll().where('school_id', '=', schoolId).execute();

it('a flight starts only with an available aircraft and a pilot not in flight, else in plain words (B262, C01)', async () => {
  const refusals: [number, string][] = [
    [await makeAircraft(db, await makeSchool(db)), '404 Aircraft not found'],
    [await makeAircraft(db, schoolId, { deleted_at: new Date() }), '404 Aircraft not found'],
    [
      await makeAircraft(db, schoolId, { maintenance_since: new Date() }),
      '409 This aircraft is currently under maintenance and cannot be used for flights.',
    ],
    [await taken(), '409 This aircraft is already checked out.'],
  ];
  const before = (await flights()).length;
  for (const [id, refused] of refusals) {
    const { status, body, headers } = await start({ aircraftId: id });
    expect(`${status} ${String(body)}`).toBe(refused);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  }
  expect((await start({ startHobbsTime: '' })).headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(await flights()).toHaveLength(before);
  expect((await start()).status).toBe(201);
  expect(await statusOf()).toBe('checked_out');
  const another = await makeAircraft(db, schoolId);
  expect(await start({ aircraftId: another })).toMatchObject({
    status: 409,
    body: 'You have an active flight in progress. Please complete your current flight before starting a new one.',
  });
  expect(await statusOf(another)).toBeNull();
});

it('a flight starts with the status in_progress or none; any other is refused (C67)', async () => {
  for (const status of ['completed', 'voided', '', null, 1]) {
    expect(await start({ status })).toMatchObject({ status: 400, body: "The status must be 'in_progress'" });
  }
  expect(await flights()).toEqual([]);
  expect((await start({ status: 'in_progress' })).status).toBe(201);
  const other = await makeUser(db, schoolId);
  expect((await start({ aircraftId: await makeAircraft(db, schoolId) }, other)).status).toBe(201);
});

it('completing a flight stores and returns every field of the call, and fuel records in their order (B267, B268)', async () => {
  const instructor = await makeUser(db, schoolId, 'instructor');
  const receipt = (await drawBlankPhoto()).toString('base64');
  const fuel = { refueled: true, fuelReceiptImage: null, oilAdded: true, oilQuantity: 1.5, notes: 'Topped off' };
  const times = { instructorTimeIn: '13:45', instructorTimeOut: '15:30', groundSchoolTime: '0.25' };
  const fields = { ...times, notes: 'Left brake soft.' };
  const fuelRecords = [fuel, { notes: 'second', fuelReceiptImage: receipt }, { notes: 'third' }];
  const id = await makeFlight(db, pilot, aircraftId);
  const { status, body } = await complete(id, { ...fields, instructorId: instructor.id, fuelRecords });
  expect(status).toBe(200);
  expect(JSON.parse(String(body))).toMatchObject({
    ...{ id, status: 'completed', ...ends, ...fields, instructor: { username: instructor.username } },
    fuelRecords: [
      fuel,
      { notes: 'second', fuelReceiptImage: expect.stringMatching(/^\/photos\/\d+$/) },
      { notes: 'third', fuelReceiptImage: null },
    ],
  });
  const next = await makeFlight(db, pilot, aircraftId);
  const plain = JSON.parse(String((await complete(next, { instructorId: null, fuelRecords: [] })).body));
  expect(plain).toMatchObject({ status: 'completed', instructor: null, fuelRecords: [] });
});

it('start, end and status of a flight are set by the server, whatever the client sends (B287)', async () => {
  const forged = { completedAt: '2001-01-01T00:00:00Z', createdAt: '2001-01-01T00:00:00Z' };
  const { id } = z.object({ id: z.number() }).parse(JSON.parse(String((await start(forged)).body)));
  const before = await findFlightLog(db, schoolId, id);
  expect(Date.parse(before?.createdAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
  await complete(id, { ...forged, status: 'in_progress' });
  const after = await findFlightLog(db, schoolId, id);
  expect(after).toMatchObject({ status: 'completed', createdAt: before?.createdAt });
  expect(Date.parse(after?.completedAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
});

it('a completion that fails halfway stores nothing; else it frees the aircraft, unless it was grounded (C03)', async () => {
  const id = await makeFlight(db, pilot, aircraftId);
  await sql`alter table fuel_records rename to fuel_away`.execute(db);
  try {
    expect((await complete(id, { fuelRecords: [{ refueled: true }] })).status).toBe(500);
  } finally {
    await sql`alter table fuel_away rename to fuel_records`.execute(db);
  }
  expect(await findFlightLog(db, schoolId, id)).toMatchObject({ status: 'in_progress', endHobbsTime: null });
  expect(await findAircraft(db, schoolId, aircraftId)).toMatchObject({
    status: 'checked_out',
    lastHobbsTime: '100.0',
  });
  expect((await complete(id, {}, await makeUser(db, schoolId, 'administrator'))).status).toBe(403);
  await complete(id);
  expect(await findAircraft(db, schoolId, aircraftId)).toMatchObject({
    status: null,
    lastHobbsTime: '101.2',
    lastTachTime: '91.0',
  });
  const again = await makeFlight(db, pilot, aircraftId, { start_hobbs: '101.2', start_tach: '91.0' });
  await db.updateTable('aircraft').set({ maintenance_since: new Date() }).where('id', '=', aircraftId).execute();
  await complete(again, { endHobbsTime: '102.0', endTachTime: '92.0' });
  expect(await findAircraft(db, schoolId, aircraftId)).toMatchObject({
    status: 'maintenance',
    lastHobbsTime: '102.0',
  });
});

it('a flight of 1.5 hours lasts 1.5 hours across changes of the clock; every role reads its email (B328, C35)', async () => {
  for (const [from, to, started, completed] of [
    ['2026-05-13T06:30Z', '2026-05-13T08:00Z', '12 May 2026, 23:30 PDT', '13 May 2026, 01:00 PDT'],
    ['2026-03-08T09:30Z', '2026-03-08T11:00Z', '8 Mar 2026, 01:30 PST', '8 Mar 2026, 04:00 PDT'],
    ['2026-11-01T08:30Z', '2026-11-01T10:00Z', '1 Nov 2026, 01:30 PDT', '1 Nov 2026, 02:00 PST'],
  ] as const) {
    const id = await landed(from, to);
    const { body } = await get(`/flight-logs?log=${id}`);
    const [clockHours, text] = ['1.5', { text: started }];
    expect(body).toMatchObject({
      logs: [{ hours: clockHours, started: text, ended: { iso: new Date(to).toISOString() } }],
      flight: { details: { clockHours, started: text, completed: { text: completed } } },
    });
    expect((await exported())['duration hours']).toBe('1.5');
    await db.deleteFrom('flight_logs').where('id', '=', id).execute();
  }
  const id = await landed('2026-05-12T20:00:00Z', '2026-05-12T21:15:00Z');
  for (const role of ROLES) {
    const { body } = await get(`/flight-logs?log=${id}`, await makeUser(db, schoolId, role));
    expect(body).toMatchObject({ flight: { details: { pilot: { username: pilot.username, email: pilot.email } } } });
  }
});

it('the aircraft filter of the flight logs lists the fleet, then removed aircraft that have logs (C55)', async () => {
  await makeAircraft(db, schoolId, { tail_number: 'N2NEW' });
  const removed = { deleted_at: new Date() };
  await makeAircraft(db, schoolId, { tail_number: 'N3NEVER', ...removed });
  const sold = await makeAircraft(db, schoolId, { tail_number: 'N4SOLD', ...removed });
  const option = z.looseObject({ label: z.string() });
  const grouped = z.array(option.extend({ options: z.array(option).optional() }));
  const shape = z.object({ options: z.object({ value: z.object({ aircraft: grouped }) }) });
  const options = async () => shape.parse((await get('/flight-logs')).body).options.value.aircraft;
  expect((await options()).map(({ label }) => label)).toEqual(['All Aircraft', 'N2NEW', 'N512FL']);
  const ends = { completed_at: new Date(), end_hobbs: '101', end_tach: '91' };
  await makeFlight(db, pilot, sold, { created_at: new Date(Date.now() - 3_600_000), ...ends });
  const labels = (await options()).map(({ label }) => label);
  expect(labels).toEqual(['All Aircraft', 'N2NEW', 'N512FL', 'Removed aircraft']);
  expect((await options()).at(-1)?.options?.map(({ label }) => label)).toEqual(['N4SOLD']);
});

async function taken(): Promise<number> {
  const id = await makeAircraft(db, schoolId);
  await makeFlight(db, await makeUser(db, schoolId), id);
  return id;
}

const landed = (from: string, to: string) => makeFlight(db, pilot, aircraftId, completed(from, to));

/** The first flight of the export, by column. */
async function exported(): Promise<Record<string, string>> {
  const { body } = await get('/api/flight-logs/export', await makeUser(db, schoolId, 'administrator'));
  const [names = [], values = []] = String(body)
    .split('\r\n')
    .map((line) => line.split(','));
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}
