import { beforeEach, expect, it } from 'vitest';
import { makeAircraft, makeFlight, makePeople, makeSchool, type Member, testDatabase } from '#tests/support/makers.ts';
import { answerTo, cookieOf, formRequest, getRequest, toastAfter } from '#tests/support/ask.ts';
import { nightly } from '#tests/support/takes-all.ts';
import { findConfirmedPhotos } from '#app/domain/meters/confirmed-photos.server.ts';
import { findAircraft } from '#app/domain/aircraft/queries.server.ts';
import type { MeterType } from '#db/tables.ts';
import type { Role } from '#db/roles.ts';
import { makeScan } from '#tests/support/scanned-photo.ts';

const { db } = await testDatabase();

let schoolId: number, aircraftId: number, people: Record<Role, Member>;
beforeEach(async () => {
  schoolId = await makeSchool(db);
  people = await makePeople(db, schoolId);
  aircraftId = await makeAircraft(db, schoolId, { tail_number: 'N512FL', last_hobbs: '1234.5', last_tach: '900.1' });
});

const scanned = (detected_text: string, meter_type: MeterType = 'hobbs', more: { figures?: string } = {}) =>
  makeScan(db, people.student, aircraftId, { detected_text, meter_type, ...more });

const get = async (path: string, role: Role) => answerTo(getRequest(path, await cookieOf(db, people[role])));
const save = async (scan: number, role: Role, fields: Record<string, string> = {}) =>
  answerTo(formRequest(`/ocr/${scan}/save`, fields, await cookieOf(db, people[role])));
const offered = async (scan: number, role: Role) =>
  (await get(`/ocr?aircraftId=${aircraftId}&scan=${scan}`, role)).body;
const last = async () => findAircraft(db, schoolId, aircraftId);

it.each(['administrator', 'instructor'] as const)(
  'a scan of an available aircraft is offered to an %s as its last reading, and saved (C46)',
  async (role) => {
    const hobbs = await scanned('1236.0');
    expect(await offered(hobbs, role)).toMatchObject({
      saveOption: { label: 'Save 1236.0 as last Hobbs', isAllowed: true, requiresReason: false },
    });
    const answer = await save(hobbs, role);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/airplanes']);
    expect(await toastAfter(answer)).toMatchObject({ title: 'Reading saved', text: 'N512FL now stands at 1236.0.' });
    const tach = await scanned('901.5', 'tachometer');
    expect(await offered(tach, role)).toMatchObject({ saveOption: { label: 'Save 901.5 as last tach' } });
    await save(tach, role);
    expect(await last()).toMatchObject({ lastHobbsTime: '1236.0', lastTachTime: '901.5' });
    expect((await save(await scanned('1236.00'), role)).status, 'the same').toBe(303);
  },
);

it('a scan too far above the last reading needs a tick to be saved, also where it fits the other meter (C80, B667)', async () => {
  const misread = await scanned('12236.0');
  const swapped = await scanned('1235.0', 'tachometer');
  expect(await offered(misread, 'instructor')).toMatchObject({
    note: '11001.5 h not logged since the last flight.',
    saveOption: { asksReadAgain: true },
  });
  expect(await offered(swapped, 'instructor')).toMatchObject({
    note: '1235.0 fits the Hobbs meter, which stood at 1234.5.',
    saveOption: { asksReadAgain: true },
  });
  const error = { readAgain: ['Please read the meter again and tick the box.'] };
  expect(await save(misread, 'instructor')).toMatchObject({ status: 400, body: { result: { error } } });
  expect(await last()).toMatchObject({ lastHobbsTime: '1234.5' });
  expect(await offered(await scanned('1246.5'), 'instructor')).toMatchObject({
    saveOption: { asksReadAgain: false },
  });
  expect((await save(misread, 'instructor', { readAgain: 'on' })).status).toBe(303);
  expect(await last()).toMatchObject({ lastHobbsTime: '12236.0' });
});

it('saving a scan is offered to no student, nor in flight or maintenance, nor for the last reading itself (C46)', async () => {
  const scan = await scanned('1236.0');
  expect(await offered(scan, 'student')).toMatchObject({ scan: { detectedText: '1236.0' }, saveOption: null });
  expect(await save(scan, 'student')).toMatchObject({ status: 403, body: 'Forbidden' });
  expect((await get(`/ocr/${scan}/save`, 'student')).status).toBe(403);
  expect(await last()).toMatchObject({ lastHobbsTime: '1234.5' });
  expect(await offered(await scanned('1234.50'), 'administrator')).toMatchObject({ saveOption: null });
  const flight = await makeFlight(db, people.student, aircraftId);
  expect(await offered(scan, 'administrator')).toMatchObject({ saveOption: null });
  expect(await save(scan, 'administrator')).toMatchObject({
    status: 409,
    body: { toast: { text: 'This aircraft is already checked out.' } },
  });
  await db.deleteFrom('flight_logs').where('id', '=', flight).execute();
  await db.updateTable('aircraft').set({ maintenance_since: new Date() }).where('id', '=', aircraftId).execute();
  expect(await offered(scan, 'administrator')).toMatchObject({ saveOption: null });
});

it('a scan lower than the last reading is saved only by administrators, with a reason (C46)', async () => {
  const scan = await scanned('1200.0');
  const note = 'Lower than the last recorded reading (1234.5).';
  expect(await offered(scan, 'instructor')).toMatchObject({
    note,
    saveOption: { requiresReason: true, isAllowed: false },
  });
  expect((await save(scan, 'instructor', { reason: 'New meter' })).status).toBe(400);
  expect(await offered(scan, 'administrator')).toMatchObject({
    note,
    saveOption: { requiresReason: true, isAllowed: true },
  });
  expect(await save(scan, 'administrator')).toMatchObject({
    status: 400,
    body: { result: { error: { reason: ['Lower than the last recorded reading (1234.5). Please give a reason.'] } } },
  });
  expect(await last()).toMatchObject({ lastHobbsTime: '1234.5' });
  expect((await save(scan, 'administrator', { reason: 'New meter' })).status).toBe(303);
  expect(await last()).toMatchObject({ lastHobbsTime: '1200.0' });
});

const lower = 'Lower than the last recorded reading (1234.5).';
const gap = '1.5 h not logged since the last flight.';

nightly('a scan with a lower reading, or a gap but in flight, is marked for students too (C06)', async () => {
  const ofScan = async (reading: string) => offered(await scanned(reading), 'student');
  expect(await ofScan('1234.4')).toMatchObject({ note: lower, saveOption: null });
  expect(await ofScan('1236.0')).toMatchObject({ note: gap, saveOption: null });
  expect(await ofScan('1234.6')).toMatchObject({ note: null });
  await makeFlight(db, people.student, aircraftId);
  expect(await ofScan('1234.4')).toMatchObject({ note: lower });
  expect(await ofScan('1236.0')).toMatchObject({ note: null });
});

it('a photo is an example of the reading that was saved by it, and no other is (B1314)', async () => {
  expect((await save(await scanned('1236.0'), 'instructor')).status).toBe(303);
  await scanned('1237.0');
  expect(await findConfirmedPhotos(db, schoolId)).toMatchObject([{ reading: '1236.0', detectedText: '1236.0' }]);
});

it('of two figures that a last drum may show the chosen one is saved, and no third one (B1310, B1314)', async () => {
  const figures = [...'1235'].map((figure) => ({ figure, confidence: '0.99', other: null as string | null }));
  const rolling = [...figures, { figure: '9', confidence: '0.90', other: '0' }];
  const scan = await scanned('1235.9', 'hobbs', { figures: JSON.stringify(rolling) });
  expect(await offered(scan, 'instructor')).toMatchObject({
    saveOption: { label: 'Save as last Hobbs', choices: ['1235.9', '1236.0'] },
  });
  expect(await save(scan, 'instructor', { reading: '1300.0' })).toMatchObject({
    status: 400,
    body: { result: { error: { reading: ['Please choose what the last drum shows'] } } },
  });
  expect((await save(scan, 'instructor', { reading: '1236.0' })).status).toBe(303);
  expect(await last()).toMatchObject({ lastHobbsTime: '1236.0' });
  expect(await findConfirmedPhotos(db, schoolId)).toMatchObject([{ reading: '1236.0', detectedText: '1235.9' }]);
});
