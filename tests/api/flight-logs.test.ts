import { beforeAll, expect, it } from 'vitest';
import { completed, insert, makeFlight, type Member, testDatabase } from '#tests/support/makers.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { call, cookieOf, getRequest } from '#tests/support/requests.ts';
import { loader as listLoader } from '#app/routes/api.flight-logs._index.ts';
import { loader as oneLoader } from '#app/routes/api.flight-logs.$id._index.ts';
import { loader as openLoader } from '#app/routes/api.flight-logs.open.ts';

const { db } = await testDatabase();

let administrator: Member, pilot: Member, instructor: Member, foreignUser: Member, aircraftId: number;
let otherAircraftId: number, flownId: number, openId: number;

beforeAll(async () => {
  const schoolId = await makeSchool(db);
  administrator = await makeUser(db, schoolId, 'administrator');
  instructor = await makeUser(db, schoolId, 'instructor');
  pilot = await makeUser(db, schoolId, 'student', 'anna');
  aircraftId = await makeAircraft(db, schoolId, { tail_number: 'N512FL' });
  otherAircraftId = await makeAircraft(db, schoolId);
  flownId = await makeFlight(db, pilot, aircraftId, {
    ...completed('2026-05-12T14:00:00Z', '2026-05-12T15:30:00Z'),
    instructor_id: instructor.id,
    instructor_time_in: '06:45',
    instructor_time_out: '08:40',
    ground_school_time: '0.25',
    notes: 'Left brake soft.',
    reading_flags: JSON.stringify([{ at: 'start', meter: 'hobbs', kind: 'gap', last: '99.3', reading: '100.0' }]),
  });
  await insert(db, 'fuel_records', {
    school_id: schoolId,
    flight_log_id: flownId,
    refueled: true,
    oil_added: true,
    oil_quantity: '1.5',
  });
  openId = await makeFlight(db, pilot, otherAircraftId);
  const otherSchool = await makeSchool(db, { name: 'Elsewhere' });
  foreignUser = await makeUser(db, otherSchool, 'administrator');
  await makeFlight(db, foreignUser, await makeAircraft(db, otherSchool));
});

it('the flight logs are the school’s, newest start first, or an aircraft’s (B263, C09, C45)', async () => {
  const response = await list('', pilot);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
  expect(await idsOf(response)).toEqual([openId, flownId]);
  expect(await idsOf(await list(`?aircraftId=${aircraftId}`, pilot))).toEqual([flownId]);
  const why = { voided_at: new Date(), voided_by: instructor.id, void_reason: 'Fog' };
  const cancelled = await makeFlight(db, instructor, aircraftId, why);
  expect(await idsOf(await list('?aircraftId=', pilot))).toEqual([openId, flownId]);
  expect((await one(cancelled, pilot)).status).toBe(404);
  for (const junk of ['abc', '-1', '0', '1.5', '1e3', '99999999999', '%00', "1'or'1'='1"]) {
    const refused = await list(`?aircraftId=${junk}`, pilot);
    expect([refused.status, await refused.text()], junk).toEqual([400, 'Invalid aircraft']);
    expect(refused.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  }
});

it('a flight log has every field of the contract; null for what its end will bring (B234, B235, B266)', async () => {
  expect(await (await one(flownId, administrator)).json()).toMatchObject({
    id: flownId,
    aircraft: { id: aircraftId, tailNumber: 'N512FL', make: 'Cessna', model: '172S' },
    user: { id: pilot.id, username: 'anna', email: 'anna@school.example' },
    instructor: { id: instructor.id, username: instructor.username },
    ...{ startHobbsTime: '100.0', startTachTime: '90.0', endHobbsTime: '101.2', endTachTime: '91.0' },
    ...{ status: 'completed', corrected: false },
    ...{ createdAt: '2026-05-12T14:00:00.000Z', completedAt: '2026-05-12T15:30:00.000Z' },
    ...{ instructorTimeIn: '06:45', instructorTimeOut: '08:40', groundSchoolTime: '0.25' },
    notes: 'Left brake soft.',
    fuelRecords: [{ refueled: true, fuelReceiptImage: null, oilAdded: true, oilQuantity: 1.5, notes: '' }],
    meterPhotos: { startHobbs: null, startTach: null, endHobbs: null, endTach: null },
    readingFlags: [{ at: 'start', meter: 'hobbs', kind: 'gap', last: '99.3', reading: '100.0' }],
  });
  expect(await (await one(openId, pilot)).json()).toMatchObject({
    ...{ instructor: null, endHobbsTime: null, endTachTime: null, status: 'in_progress', completedAt: null },
    ...{ instructorTimeIn: null, instructorTimeOut: null, groundSchoolTime: '0', notes: '' },
    ...{ fuelRecords: [], readingFlags: [] },
  });
});

it('the open flights are all of the school for an administrator, else the own (B236, B246, B273, B274)', async () => {
  expect(await (await open(administrator)).json()).toEqual([
    {
      id: openId,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      user: { id: pilot.id, username: 'anna' },
      aircraft: { id: otherAircraftId, tailNumber: expect.any(String), make: 'Cessna', model: '172S' },
    },
  ]);
  expect(await idsOf(await open(pilot))).toEqual([openId]);
  expect(await idsOf(await open(instructor))).toEqual([]);
});

async function list(query: string, user?: { id: number }): Promise<Response> {
  return listLoader(call(getRequest(`/api/flight-logs${query}`, user && (await cookieOf(db, user)))));
}

async function one(id: number | string, user?: { id: number }): Promise<Response> {
  const request = getRequest(`/api/flight-logs/${id}`, user && (await cookieOf(db, user)));
  return oneLoader(call(request, { id: String(id) }));
}

async function open(user?: { id: number }): Promise<Response> {
  return openLoader(call(getRequest('/api/flight-logs/open', user && (await cookieOf(db, user)))));
}

async function idsOf(response: Response): Promise<number[]> {
  const logs: { id: number }[] = await response.json();
  return logs.map(({ id }) => id);
}
