import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { insert, makeFlight, type Member, testDatabase } from '#tests/support/makers.ts';
import { makeAircraft, makeScene, makeUser } from '#tests/support/school.ts';
import { cookieOf, errorTextOf, formRequest, getRequest, jsonRequest, toastAfter } from '#tests/support/ask.ts';
import { answerTo } from '#tests/support/routes.ts';
import { detailOf, documentAfter, documentAt, nightly, textOf } from '#tests/support/pages.ts';
import { findAircraft } from '#app/domain/aircraft/queries.server.ts';
import { findFlightLog } from '#app/domain/flights/queries.server.ts';
import type { FlightLog } from '#app/domain/flights/schema.server.ts';
import { toHundredths } from '#app/domain/reading.ts';
import type { MeterReadings } from '#app/domain/readings/meters.ts';
import { SLIPS } from '#tests/support/slips.ts';

const { db } = await testDatabase();

let schoolId: number, admin: Member, pilot: Member, aircraftId: number;

beforeEach(async () => {
  ({ schoolId, admin, pilot, aircraftId } = await makeScene(db, { last_hobbs: '1234.5', last_tach: '987.6' }));
});

const start = { hobbs: '1234.5', tachometer: '987.6' };
const end = { hobbs: '1235.8', tachometer: '988.7' };
const ended = { endHobbsTime: end.hobbs, endTachTime: end.tachometer };

const flownToday = {
  created_at: new Date(Date.now() - 2 * 3_600_000),
  completed_at: new Date(Date.now() - 3_600_000),
};

const depart = (readings: MeterReadings = start, columns = {}) =>
  makeFlight(db, pilot, aircraftId, { start_hobbs: readings.hobbs, start_tach: readings.tachometer, ...columns });
const post = async (path: string, fields: Record<string, string>, user = pilot) =>
  answerTo(formRequest(path, fields, await cookieOf(db, user)));
const get = async (path: string, user = pilot) => answerTo(getRequest(path, await cookieOf(db, user)));
const checkIn = (id: number, fields: Record<string, string>) => post(`/flight-log/${id}/post-check`, fields);
const complete = async (id: number, body: unknown) =>
  answerTo(jsonRequest('POST', `/api/flight-logs/${id}/complete`, body, await cookieOf(db, pilot)));
const logOf = async (id: number): Promise<FlightLog | undefined> => findFlightLog(db, schoolId, id);
const lastReadings = async () => {
  const aircraft = await findAircraft(db, schoolId, aircraftId);
  return [aircraft?.lastHobbsTime, aircraft?.lastTachTime];
};
const previewed = z.object({ preview: z.object({ digest: z.string(), oddReadings: z.array(z.string()) }) });
/** What its preview says is odd, and how it is saved then. */
async function previewOf(id: number, fields: Record<string, string>, user = pilot) {
  const path = `/flight-logs/${id}/correct`;
  const { digest, oddReadings } = previewed.parse(
    (await post(path, { ...fields, intent: 'preview' }, user)).body,
  ).preview;
  const save = (more = {}) => post(path, { ...fields, ...more, intent: 'save', seen: digest }, user);
  return { oddReadings, save };
}
const errorsOf = ({ body }: { body: unknown }) =>
  z.object({ result: z.object({ error: z.record(z.string(), z.array(z.string())) }) }).parse(body).result.error;

const readAgain = ['Please read the meter again and tick the box.'];

const odd = { endHobbsTime: '12358.0', endTachTime: '988.7' };

it('an odd end comes back with its reason, and is stored with a tick, or as it is by call (C80, B574, B575)', async () => {
  const id = await depart();
  const refused = await checkIn(id, odd);
  expect(refused.status).toBe(400);
  expect(errorsOf(refused)).toEqual({
    endHobbsTime: ['Is a digit wrong? 1235.8 would fit the tach meter, 12358.0 does not.'],
    readAgain,
  });
  expect(await lastReadings()).toEqual(['1234.5', '987.6']);
  expect((await checkIn(id, { ...odd, readAgain: 'on' })).status).toBe(303);
  const readingFlags = [{ meter: 'hobbs', at: 'end', kind: 'slip', reading: '12358.0', last: '1235.8' }];
  expect((await logOf(id))?.readingFlags).toEqual(readingFlags);
  expect(await lastReadings()).toEqual(['12358.0', '988.7']);
  const answer = await complete(await depart(), odd);
  expect(answer.status).toBe(200);
  const hours = { hobbsHours: '11123.50', tachHours: '1.10' };
  expect(JSON.parse(String(answer.body))).toMatchObject({ readingFlags, ...hours });
});

it('a correction to an odd end is previewed with what is odd, and saved with a tick (C80, B576)', async () => {
  const id = await depart(start, { end_hobbs: '1235.8', end_tach: '988.7', ...flownToday });
  const fields = { startHobbsTime: '1234.5', startTachTime: '987.6', ...odd, reason: 'Misread' };
  const { oddReadings, save } = await previewOf(id, fields, admin);
  expect(oddReadings).toEqual(['End Hobbs: Is a digit wrong? 1235.8 would fit the tach meter, 12358.0 does not.']);
  expect(errorsOf(await save())).toHaveProperty('readAgain');
  expect((await save({ readAgain: 'on' })).status).toBe(303);
  expect(await logOf(id)).toMatchObject({ endHobbsTime: '12358.0', readingFlags: [{ kind: 'slip' }] });
});

it('two wrong readings are told at once, and a completed flight with its hours (B577, B578)', async () => {
  const id = await depart();
  expect(errorsOf(await checkIn(id, { endHobbsTime: 'abc', endTachTime: '987.6' }))).toEqual({
    endHobbsTime: ['End Hobbs time must be a number'],
    endTachTime: ['End Tach time must be greater than start time'],
  });
  const toast = await toastAfter(await checkIn(id, ended));
  expect(toast).toMatchObject({ title: 'Flight completed successfully', text: 'Hobbs 1.3 h, tach 1.1 h' });
});

const earlier = { hobbs: '1232.9', tachometer: '986.2' };
const starts = { startHobbsTime: start.hobbs, startTachTime: start.tachometer };

it.each(['start', 'end'])('the %s after any slip is stored as it was in one form (C81, B579)', async (at) => {
  for (const [name, slip] of Object.entries(SLIPS)) {
    aircraftId = await makeAircraft(db, schoolId, { last_hobbs: '1234.5', last_tach: '987.6' });
    const id = await depart(at === 'start' ? slip(start, earlier).at(0) : start);
    const typed = at === 'end' ? (slip(end, earlier).at(0) ?? end) : end;
    if (at === 'end') {
      await checkIn(id, { endHobbsTime: typed.hobbs, endTachTime: typed.tachometer });
      expect(await logOf(id), name).toMatchObject({ status: isHarmless(typed) ? 'completed' : 'in_progress' });
      if (isHarmless(typed)) continue;
    }
    const answer = await checkIn(id, { ...ended, ...(at === 'start' && starts), startReason: 'Misread' });
    expect(answer.status, name).toBe(303);
    expect(await logOf(id), name).toMatchObject({ ...starts, ...ended, hobbsHours: '1.30', tachHours: '1.10' });
    expect(await lastReadings(), name).toEqual([end.hobbs, end.tachometer]);
  }
});

it('a start corrected at check-in is a revision with a reason, asked for when the end is refused (C81, B580)', async () => {
  const id = await depart({ ...start, hobbs: '12345.0' });
  expect(errorsOf(await checkIn(id, ended))).toEqual({
    endHobbsTime: ['End Hobbs time must be greater than start time'],
  });
  expect(errorsOf(await checkIn(id, { ...ended, startHobbsTime: '1234.5' }))).toEqual({
    startReason: ['Please give a reason'],
  });
  await checkIn(id, { ...ended, startHobbsTime: '1234.5', startReason: 'Misread' });
  expect(await logOf(id)).toMatchObject({ startHobbsTime: '1234.5', corrected: true, readingFlags: [] });
  expect(
    await db.selectFrom('flight_log_revisions').selectAll().where('flight_log_id', '=', id).execute(),
  ).toMatchObject([{ field: 'start_hobbs', old_value: '12345.0', new_value: '1234.5', reason: 'Misread' }]);
});

it('pilot and administrators correct the start of a flight in progress, with a preview; others do not (C81, B581)', async () => {
  const id = await depart({ ...start, hobbs: '12345.0' });
  const fields = { startHobbsTime: '1234.6', startTachTime: '987.6', reason: 'Misread' };
  const instructor = await makeUser(db, schoolId, 'instructor');
  expect((await get(`/flight-logs/${id}/correct`, instructor)).status).toBe(403);
  for (const [user, hobbs] of [
    [pilot, '1234.6'],
    [admin, '1234.5'],
  ] as const) {
    const typed = { ...fields, startHobbsTime: hobbs };
    expect((await (await previewOf(id, typed, user)).save()).status).toBe(303);
    expect(await logOf(id)).toMatchObject({ startHobbsTime: hobbs, status: 'in_progress', endHobbsTime: null });
  }
});

describe('a start that is corrected to an odd reading', () => {
  const odd = '300.0 h not logged since the last flight.';

  it('asks for a tick at the check-in, beside its field (B934, C80)', async () => {
    const id = await depart({ ...start, hobbs: '12345.0' });
    const fields = { startHobbsTime: '1534.5', startReason: 'Misread', endHobbsTime: '1535.8', endTachTime: '988.7' };
    expect(errorsOf(await checkIn(id, fields))).toEqual({
      startHobbsTime: [odd],
      readAgain,
    });
    expect((await checkIn(id, { ...fields, readAgain: 'on' })).status).toBe(303);
    expect(await logOf(id)).toMatchObject({
      startHobbsTime: '1534.5',
      readingFlags: [{ meter: 'hobbs', at: 'start', kind: 'gap', reading: '1534.5', last: '1234.5' }],
    });
  });

  nightly.each([
    ['in progress', {}, {}],
    [
      'that was completed',
      { end_hobbs: '1535.8', end_tach: '988.7', ...flownToday },
      { endHobbsTime: '1535.8', endTachTime: '988.7' },
    ],
  ])('asks for a tick in the preview of a flight %s (B934, C80)', async (_, columns, ends) => {
    await makeFlight(db, await makeUser(db, schoolId), aircraftId, {
      ...{ start_hobbs: '1233.5', start_tach: '986.6', end_hobbs: '1234.5', end_tach: '987.6' },
      created_at: new Date(Date.now() - 26 * 3_600_000),
      completed_at: new Date(Date.now() - 25 * 3_600_000),
    });
    const id = await depart(start, columns);
    const fields = { startHobbsTime: '1534.5', startTachTime: '987.6', ...ends, reason: 'Misread' };
    const { oddReadings, save } = await previewOf(id, fields);
    expect(oddReadings).toEqual([`Start Hobbs: ${odd}`]);
    expect(errorsOf(await save())).toEqual({ startHobbsTime: [odd], readAgain });
    expect((await save({ readAgain: 'on' })).status).toBe(303);
    expect(await logOf(id)).toMatchObject({ startHobbsTime: '1534.5' });
  });
});

const rolled = {
  'meterChanges.hobbs.changed': 'on',
  'meterChanges.hobbs.oldLast': '9999.9',
  'meterChanges.hobbs.newFirst': '0.0',
  'meterChanges.hobbs.reason': 'rolled over',
  'meterChanges.hobbs.remark': 'Seen on short final',
  'meterChanges.tach.oldLast': '',
  'meterChanges.tach.newFirst': '',
  'meterChanges.tach.reason': 'replaced',
};
const late = { hobbs: '9999.4', tachometer: '987.6' };

it('hours are counted across a meter that rolls over in flight, and the next start fits (C82, B582, B587)', async () => {
  const id = await depart(late);
  const ends = { endHobbsTime: '0.8', endTachTime: '988.7' };
  expect((await checkIn(id, ends)).status).toBe(400);
  const without = { 'meterChanges.hobbs.oldLast': '', 'meterChanges.hobbs.newFirst': '' };
  expect(errorsOf(await checkIn(id, { ...ends, ...rolled, ...without }))).toMatchObject({
    'meterChanges.hobbs.oldLast': ["Old meter's last reading is required"],
    'meterChanges.hobbs.newFirst': ["New meter's first reading is required"],
  });
  expect((await checkIn(id, { ...ends, ...rolled })).status).toBe(303);
  expect(await logOf(id)).toMatchObject({
    ...{ endHobbsTime: '0.8', hobbsHours: '1.30', tachHours: '1.10', readingFlags: [] },
    meterChanges: { hobbs: { oldLast: '9999.9', newFirst: '0.0', reason: 'rolled over' }, tach: null },
  });
  expect(await lastReadings()).toEqual(['0.8', '988.7']);
  const next = { aircraftId, startHobbsTime: '0.8', startTachTime: '988.7' };
  const cookie = await cookieOf(db, pilot);
  const started = await answerTo(jsonRequest('POST', '/api/flight-logs', next, cookie));
  expect(JSON.parse(String(started.body))).toMatchObject({ readingFlags: [] });
  const csv = String((await get('/api/flight-logs/export', admin)).body);
  expect(csv).toContain('9999.4,0.8,1.3,');
  expect(csv).toContain('Hobbs rolled over 9999.9 to 0.0');
  const shown = await documentAt(`/flight-logs/${id}`, cookie);
  expect(textOf(detailOf(shown, 'Hobbs Hours'))).toContain('1.3');
  expect(shown.$('main').text()).toContain('Rolled over at 9999.9, went on from 0.0');
});

it('a call takes meterChanges, counts the tenth to 10000.0, and refuses what does not fit (C82, B583, B928)', async () => {
  const completedWith = async (id: number, oldLast: string, newFirst: string, reason = 'replaced') => {
    const meterChanges = { hobbs: { oldLast, newFirst, reason } };
    return String((await complete(id, { endHobbsTime: '0.8', endTachTime: '988.7', meterChanges })).body);
  };
  const id = await depart(late);
  expect(await completedWith(id, '9999.3', '0.0')).toBe("Old meter's last reading must not be below the start reading");
  expect(await completedWith(id, '9999.9', '0.9')).toBe(
    "The end reading must not be below the new meter's first reading",
  );
  expect(JSON.parse(await completedWith(id, '9999.9', '0.0'))).toMatchObject({ hobbsHours: '1.30' });
  aircraftId = await makeAircraft(db, schoolId);
  const over = await completedWith(await depart(late), '10000.0', '0.0', 'rolled over');
  expect(JSON.parse(over)).toMatchObject({ hobbsHours: '1.40', readingFlags: [] });
});

it('a correction declares a change, and another one takes it back (C82, B584)', async () => {
  const id = await depart(late, { end_hobbs: '10000.7', end_tach: '988.7', ...flownToday });
  await db.updateTable('aircraft').set({ last_hobbs: '10000.7', last_tach: '988.7' }).execute();
  const correct = async (fields: Record<string, string>) => {
    const all = {
      startHobbsTime: '9999.4',
      startTachTime: '987.6',
      endTachTime: '988.7',
      reason: 'Rolled',
      ...fields,
    };
    return (await previewOf(id, all, admin)).save();
  };
  expect((await correct({ endHobbsTime: '0.8', ...rolled })).status).toBe(303);
  expect(await logOf(id)).toMatchObject({ hobbsHours: '1.30', meterChanges: { hobbs: { reason: 'rolled over' } } });
  expect(await lastReadings()).toEqual(['0.8', '988.7']);
  const aircraft_id = await makeAircraft(db, schoolId);
  const readings = { start_hobbs: '100.0', end_hobbs: '101.0', start_tach: '90.0', end_tach: '91.0' };
  const other = await makeFlight(db, pilot, aircraft_id, { ...readings, ...flownToday });
  const declared = { old_last: '100.5', first_reading: '0.5', declared_by: admin.id, flight_log_id: other };
  await insert(db, 'meter_segments', {
    school_id: schoolId,
    aircraft_id,
    meter_type: 'hobbs',
    reason: 'replaced',
    ...declared,
  });
  expect((await correct({ endHobbsTime: '10000.7' })).status).toBe(303);
  expect(await logOf(id)).toMatchObject({
    endHobbsTime: '10000.7',
    hobbsHours: '1.30',
    meterChanges: { hobbs: null },
  });
  const ofFlights = db.selectFrom('meter_segments').select('flight_log_id').where('school_id', '=', schoolId);
  const left = await ofFlights.where('flight_log_id', 'is not', null).execute();
  expect(left).toEqual([{ flight_log_id: other }]);
});

it('administrators declare a change between flights on the aircraft’s page; gaps are counted across it (C82, B585)', async () => {
  await depart(
    { hobbs: '1233.2', tachometer: '987.6' },
    {
      ...{ end_hobbs: '1234.5', end_tach: '988.7' },
      created_at: new Date(Date.now() - 6 * 3_600_000),
      completed_at: new Date(Date.now() - 5 * 3_600_000),
    },
  );
  const fields = { meter: 'hobbs', reason: 'replaced', oldLast: '1234.7', newFirst: '0.0', remark: 'Shop order 12' };
  const path = `/airplanes/${aircraftId}/meters`;
  expect((await post(path, fields, pilot)).status).toBe(403);
  expect(errorsOf(await post(path, { ...fields, oldLast: '1234.4' }, admin))).toEqual({
    oldLast: ["Old meter's last reading must not be below the last recorded reading (1234.5)"],
  });
  expect((await post(path, fields, admin)).headers.get('location')).toBe(path);
  expect(await lastReadings()).toEqual(['0.0', '987.6']);
  expect((await get(path, admin)).body).toMatchObject({
    history: [{ meter: 'hobbs', oldLast: '1234.7', newFirst: '0.0', remark: 'Shop order 12' }],
  });
  const next = await makeFlight(db, pilot, aircraftId, { start_hobbs: '0.3', start_tach: '988.7' });
  const { body } = await post(
    `/flight-logs/${next}/correct`,
    { startHobbsTime: '0.1', startTachTime: '988.7', reason: 'Misread', intent: 'preview' },
    admin,
  );
  expect(body).toMatchObject({
    preview: {
      effects: [
        { what: 'Hobbs Start', before: '0.3', after: '0.1' },
        { what: 'Hobbs since the flight before', before: '0.5 h not logged', after: '0.3 h not logged' },
      ],
    },
  });
  expect(errorTextOf(await post(path, fields, admin))).toBe('This aircraft is already checked out.');
});

it("an old meter's last reading far above the last one needs a tick, as does a change sent again (B927, C80, C82)", async () => {
  const path = `/airplanes/${aircraftId}/meters`;
  const fields = { meter: 'hobbs', reason: 'replaced', oldLast: '12346.0', newFirst: '0.0' };
  expect(errorsOf(await post(path, fields, admin))).toEqual({
    oldLast: ['11111.5 h since the last recorded reading (1234.5): more than 12 h.'],
    readAgain,
  });
  const { $ } = await documentAfter(path, fields, await cookieOf(db, admin));
  expect($('[type="checkbox"][name="readAgain"]').attr('aria-required')).toBe('true');
  expect(await lastReadings()).toEqual(['1234.5', '987.6']);
  const right = { ...fields, oldLast: '1234.6' };
  expect((await post(path, right, admin)).status).toBe(303);
  expect(errorsOf(await post(path, right, admin))).toHaveProperty('readAgain');
  expect((await get(path, admin)).body).toMatchObject({ history: [{ oldLast: '1234.6' }] });
  expect((await post(path, { ...right, readAgain: 'on' }, admin)).status).toBe(303);
});

function isHarmless(typed: MeterReadings): boolean {
  const off = (meter: keyof MeterReadings) => Math.abs(toHundredths(typed[meter]) - toHundredths(end[meter]));
  return off('hobbs') <= 30 && off('tachometer') <= 30;
}
