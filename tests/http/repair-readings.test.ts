import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Member } from '#app/domain/actor.ts';
import { findAircraft } from '#app/domain/aircraft/queries.server.ts';
import { findFlightLog } from '#app/domain/flights/queries.server.ts';
import type { FlightLog } from '#app/domain/flights/schema.server.ts';
import { toHundredths } from '#app/domain/reading.ts';
import type { MeterReadings } from '#app/domain/readings/meters.ts';
import { errorTextOf, toastAfter } from '#tests/support/answers.ts';
import { testDatabase } from '#tests/support/database.ts';
import { documentAfter } from '#tests/support/documents.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { cookieOf, formRequest, getRequest, jsonRequest } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { SLIPS } from '#tests/support/slips.ts';
import { nightly } from '#tests/support/takes-all.ts';

const { db } = await testDatabase();

let schoolId: number;
let admin: Member;
let pilot: Member;
let aircraftId: number;

beforeEach(async () => {
  schoolId = await makeSchool(db);
  admin = await makeUser(db, schoolId, 'administrator');
  pilot = await makeUser(db, schoolId);
  aircraftId = await makeAircraft(db, schoolId, { last_hobbs: '1234.5', last_tach: '987.6' });
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
const errorsOf = ({ body }: { body: unknown }) =>
  z.object({ result: z.object({ error: z.record(z.string(), z.array(z.string())) }) }).parse(body).result.error;

describe('odd end readings', () => {
  const odd = { endHobbsTime: '12358.0', endTachTime: '988.7' };

  it('an odd end comes back with its reason and the hours beside the fields, and is stored with a tick (C80, B574)', async () => {
    const id = await depart();
    const refused = await checkIn(id, odd);
    expect(refused.status).toBe(400);
    expect(errorsOf(refused)).toEqual({
      endHobbsTime: ['Is a digit wrong? 1235.8 would fit the tach meter, 12358.0 does not.'],
      readAgain: ['Please read the meter again and tick the box.'],
    });
    expect(await lastReadings()).toEqual(['1234.5', '987.6']);
    expect((await checkIn(id, { ...odd, readAgain: 'on' })).status).toBe(303);
    expect((await logOf(id))?.readingFlags).toEqual([
      { meter: 'hobbs', at: 'end', kind: 'slip', reading: '12358.0', last: '1235.8' },
    ]);
    expect(await lastReadings()).toEqual(['12358.0', '988.7']);
  });

  it('the API takes odd readings without a tick and returns them as readingFlags (C80, B575)', async () => {
    const id = await depart();
    const answer = await complete(id, odd);
    expect(answer.status).toBe(200);
    expect(JSON.parse(String(answer.body))).toMatchObject({
      readingFlags: [{ meter: 'hobbs', at: 'end', kind: 'slip', reading: '12358.0', last: '1235.8' }],
      hobbsHours: '11123.50',
      tachHours: '1.10',
    });
  });

  it('a correction to an odd end is previewed with what is odd, and saved with a tick (C80, B576)', async () => {
    const id = await depart(start, { end_hobbs: '1235.8', end_tach: '988.7', ...flownToday });
    const fields = { startHobbsTime: '1234.5', startTachTime: '987.6', ...odd, reason: 'Misread' };
    const { body } = await post(`/flight-logs/${id}/correct`, { ...fields, intent: 'preview' }, admin);
    const { preview } = z
      .object({ preview: z.object({ digest: z.string(), oddReadings: z.array(z.string()) }) })
      .parse(body);
    expect(preview.oddReadings).toEqual([
      'End Hobbs: Is a digit wrong? 1235.8 would fit the tach meter, 12358.0 does not.',
    ]);
    const save = { ...fields, intent: 'save', seen: preview.digest };
    expect(errorsOf(await post(`/flight-logs/${id}/correct`, save, admin))).toHaveProperty('readAgain');
    expect((await post(`/flight-logs/${id}/correct`, { ...save, readAgain: 'on' }, admin)).status).toBe(303);
    expect(await logOf(id)).toMatchObject({ endHobbsTime: '12358.0', readingFlags: [{ kind: 'slip' }] });
  });

  it('an unreadable Hobbs meter and a tach below its start are told at once (B577)', async () => {
    const id = await depart();
    expect(errorsOf(await checkIn(id, { endHobbsTime: 'abc', endTachTime: '987.6' }))).toEqual({
      endHobbsTime: ['End Hobbs time must be a number'],
      endTachTime: ['End Tach time must be greater than start time'],
    });
  });

  it('a completed flight is told with its hours (B578)', async () => {
    const toast = await toastAfter(await checkIn(await depart(), ended));
    expect(toast).toMatchObject({ title: 'Flight completed successfully', text: 'Hobbs 1.3 h, tach 1.1 h' });
  });
});

describe('a wrong start', () => {
  const cases = Object.keys(SLIPS).flatMap((slip) => [
    ['start', slip],
    ['end', slip],
  ]);

  it.each(cases)('the %s after %s is stored as it was in one form (C81, B579)', async (at, slip) => {
    const earlier = { hobbs: '1232.9', tachometer: '986.2' };
    const typedAtStart = at === 'start' ? SLIPS[slip]?.(start, earlier).at(0) : start;
    const id = await depart(typedAtStart);
    const starts = { startHobbsTime: start.hobbs, startTachTime: start.tachometer };
    if (at === 'end') {
      const typed = SLIPS[slip]?.(end, earlier).at(0) ?? end;
      await checkIn(id, { endHobbsTime: typed.hobbs, endTachTime: typed.tachometer });
      expect(await logOf(id)).toMatchObject({ status: isHarmless(typed) ? 'completed' : 'in_progress' });
      if (isHarmless(typed)) return;
    }
    const answer = await checkIn(id, { ...ended, ...(at === 'start' && starts), startReason: 'Misread' });
    expect(answer.status).toBe(303);
    expect(await logOf(id)).toMatchObject({ ...starts, ...ended, hobbsHours: '1.30', tachHours: '1.10' });
    expect(await lastReadings()).toEqual([end.hobbs, end.tachometer]);
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
      const { body } = await post(`/flight-logs/${id}/correct`, { ...typed, intent: 'preview' }, user);
      const { preview } = z.object({ preview: z.object({ digest: z.string() }) }).parse(body);
      const saved = await post(`/flight-logs/${id}/correct`, { ...typed, intent: 'save', seen: preview.digest }, user);
      expect(saved.status).toBe(303);
      expect(await logOf(id)).toMatchObject({ startHobbsTime: hobbs, status: 'in_progress', endHobbsTime: null });
    }
  });
});

describe('a start that is corrected to an odd reading', () => {
  const odd = '300.0 h not logged since the last flight.';

  it('asks for a tick at the check-in, beside its field (B934, C80)', async () => {
    const id = await depart({ ...start, hobbs: '12345.0' });
    const fields = { startHobbsTime: '1534.5', startReason: 'Misread', endHobbsTime: '1535.8', endTachTime: '988.7' };
    expect(errorsOf(await checkIn(id, fields))).toEqual({
      startHobbsTime: [odd],
      readAgain: ['Please read the meter again and tick the box.'],
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
    const { body } = await post(`/flight-logs/${id}/correct`, { ...fields, intent: 'preview' });
    const { preview } = z
      .object({ preview: z.object({ digest: z.string(), oddReadings: z.array(z.string()) }) })
      .parse(body);
    expect(preview.oddReadings).toEqual([`Start Hobbs: ${odd}`]);
    const save = { ...fields, intent: 'save', seen: preview.digest };
    expect(errorsOf(await post(`/flight-logs/${id}/correct`, save))).toEqual({
      startHobbsTime: [odd],
      readAgain: ['Please read the meter again and tick the box.'],
    });
    expect((await post(`/flight-logs/${id}/correct`, { ...save, readAgain: 'on' })).status).toBe(303);
    expect(await logOf(id)).toMatchObject({ startHobbsTime: '1534.5' });
  });
});

describe('a meter that was replaced or has rolled over', () => {
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

  it('hours are counted across a meter that rolls over in flight, everywhere, and the next start fits (C82, B582)', async () => {
    const id = await depart(late);
    expect((await checkIn(id, { endHobbsTime: '0.8', endTachTime: '988.7' })).status).toBe(400);
    expect((await checkIn(id, { endHobbsTime: '0.8', endTachTime: '988.7', ...rolled })).status).toBe(303);
    expect(await logOf(id)).toMatchObject({
      endHobbsTime: '0.8',
      hobbsHours: '1.30',
      tachHours: '1.10',
      readingFlags: [],
      meterChanges: { hobbs: { oldLast: '9999.9', newFirst: '0.0', reason: 'rolled over' }, tach: null },
    });
    expect(await lastReadings()).toEqual(['0.8', '988.7']);
    const started = await answerTo(
      jsonRequest(
        'POST',
        '/api/flight-logs',
        { aircraftId, startHobbsTime: '0.8', startTachTime: '988.7' },
        await cookieOf(db, pilot),
      ),
    );
    expect(JSON.parse(String(started.body))).toMatchObject({ readingFlags: [] });
    const csv = String((await get('/api/flight-logs/export', admin)).body);
    expect(csv).toContain('9999.4,0.8,1.3,');
    expect(csv).toContain('Hobbs rolled over 9999.9 to 0.0');
  });

  it('the API takes meterChanges, and refuses readings that do not fit them (C82, B583)', async () => {
    const id = await depart(late);
    const body = (oldLast: string, newFirst: string) => ({
      endHobbsTime: '0.8',
      endTachTime: '988.7',
      meterChanges: { hobbs: { oldLast, newFirst, reason: 'replaced' } },
    });
    expect((await complete(id, body('9999.3', '0.0'))).body).toBe(
      "Old meter's last reading must not be below the start reading",
    );
    expect((await complete(id, body('9999.9', '0.9'))).body).toBe(
      "The end reading must not be below the new meter's first reading",
    );
    expect(JSON.parse(String((await complete(id, body('9999.9', '0.0'))).body))).toMatchObject({ hobbsHours: '1.30' });
  });

  nightly('a ticked change without readings is told beside its fields (C82)', async () => {
    const id = await depart(late);
    const fields = { ...ended, ...rolled, 'meterChanges.hobbs.oldLast': '', 'meterChanges.hobbs.newFirst': '' };
    expect(errorsOf(await checkIn(id, fields))).toMatchObject({
      'meterChanges.hobbs.oldLast': ["Old meter's last reading is required"],
      'meterChanges.hobbs.newFirst': ["New meter's first reading is required"],
    });
  });

  it('a correction declares a change, and another one takes it back (C82, B584)', async () => {
    const id = await depart(
      { hobbs: '9999.4', tachometer: '987.6' },
      { end_hobbs: '10000.7', end_tach: '988.7', ...flownToday },
    );
    await db.updateTable('aircraft').set({ last_hobbs: '10000.7', last_tach: '988.7' }).execute();
    const correct = async (fields: Record<string, string>) => {
      const all = {
        startHobbsTime: '9999.4',
        startTachTime: '987.6',
        endTachTime: '988.7',
        reason: 'Rolled',
        ...fields,
      };
      const { body } = await post(`/flight-logs/${id}/correct`, { ...all, intent: 'preview' }, admin);
      const { preview } = z.object({ preview: z.object({ digest: z.string() }) }).parse(body);
      return post(`/flight-logs/${id}/correct`, { ...all, intent: 'save', seen: preview.digest }, admin);
    };
    expect((await correct({ endHobbsTime: '0.8', ...rolled })).status).toBe(303);
    expect(await logOf(id)).toMatchObject({ hobbsHours: '1.30', meterChanges: { hobbs: { reason: 'rolled over' } } });
    expect(await lastReadings()).toEqual(['0.8', '988.7']);
    const aircraft_id = await makeAircraft(db, schoolId);
    const readings = { start_hobbs: '100.0', end_hobbs: '101.0', start_tach: '90.0', end_tach: '91.0' };
    const other = await makeFlight(db, pilot, aircraft_id, { ...readings, ...flownToday });
    const declared = { old_last: '100.5', first_reading: '0.5', declared_by: admin.id, flight_log_id: other };
    await db
      .insertInto('meter_segments')
      .values({ school_id: schoolId, aircraft_id, meter_type: 'hobbs', reason: 'replaced', ...declared })
      .execute();
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
    const landed = (hobbs: [string, string], hoursAgo: number) =>
      makeFlight(db, pilot, aircraftId, {
        start_hobbs: hobbs[0],
        end_hobbs: hobbs[1],
        start_tach: '987.6',
        end_tach: '988.7',
        created_at: new Date(Date.now() - (hoursAgo + 1) * 3_600_000),
        completed_at: new Date(Date.now() - hoursAgo * 3_600_000),
      });
    await landed(['1233.2', '1234.5'], 5);
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
      readAgain: ['Please read the meter again and tick the box.'],
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

  it('a meter that rolled over from 9999.9 to 0.0 counts the tenth between where 10000.0 is given (B928, C82)', async () => {
    const id = await depart({ ...start, hobbs: '9999.4' });
    const rolledOver = (oldLast: string) => ({ hobbs: { oldLast, newFirst: '0.0', reason: 'rolled over' } });
    const ends = { endHobbsTime: '0.8', endTachTime: '988.7' };
    const { body } = await complete(id, { ...ends, meterChanges: rolledOver('10000.0') });
    expect(JSON.parse(String(body))).toMatchObject({ hobbsHours: '1.40', readingFlags: [] });
  });
});

function isHarmless(typed: MeterReadings): boolean {
  const off = (meter: keyof MeterReadings) => Math.abs(toHundredths(typed[meter]) - toHundredths(end[meter]));
  return off('hobbs') <= 30 && off('tachometer') <= 30;
}
