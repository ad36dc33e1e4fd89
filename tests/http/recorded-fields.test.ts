import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { completed, insert, makeFlight, type Member, testDatabase } from '#tests/support/makers.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { documentAt, fieldsOf, textsOf } from '#tests/support/pages.ts';
import { answerTo, cookieOf, formRequest, getRequest, jsonRequest } from '#tests/support/ask.ts';
import { findFlightLog } from '#app/domain/flights/queries.server.ts';
import { recordedFormFields } from '#app/domain/flights/recorded-form-schema.server.ts';
import { findHours } from '#app/domain/flights/logbook/hours.server.ts';
import { codedMeter } from '#tests/support/coded-meter.ts';
import { makePhoto } from '#tests/support/scanned-photo.ts';

const { db } = await testDatabase();

const MINUTE = 60_000;
const reason = 'Forgotten at the check-in';
/** Whole, since a form has minutes; one for the file, since times that are compared are asked for twice. */
const thisMinute = Math.floor(Date.now() / MINUTE) * MINUTE;
const at = (minutesAgo: number) => new Date(thisMinute - minutesAgo * MINUTE).toISOString();

let schoolId: number, admin: Member, pilot: Member, teacher: Member, aircraftId: number;
async function newSchool() {
  schoolId = await makeSchool(db);
  admin = await makeUser(db, schoolId, 'administrator');
  pilot = await makeUser(db, schoolId);
  teacher = await makeUser(db, schoolId, 'instructor');
  aircraftId = await makeAircraft(db, schoolId, { last_hobbs: '100.0', last_tach: '90.0' });
}
beforeEach(newSchool);

/** Whatever is recorded of a flight, by the names of the completion call. */
const recorded = () => ({
  endHobbsTime: '1.4',
  endTachTime: '91.1',
  meterChanges: { hobbs: { oldLast: '100.2', newFirst: '0.0', reason: 'replaced', remark: 'Cracked glass' } },
  departedAt: at(100),
  landedAt: at(10),
  instructorId: teacher.id,
  instructorTimeIn: '10:00',
  instructorTimeOut: '11:15',
  groundSchoolTime: '0.5',
  fuelRecords: [{ refueled: true, notes: '12 gal', oilAdded: true, oilQuantity: 1.5 }],
  notes: 'Left brake soft',
});

/** The same as a form has it. */
function recordedForm(): Record<string, string> {
  const { meterChanges, fuelRecords, departedAt, landedAt, instructorId, ...others } = recorded();
  const change = Object.entries({ changed: 'on', ...meterChanges.hobbs });
  const [fuel] = fuelRecords;
  return {
    ...others,
    ...Object.fromEntries(change.map(([name, value]) => [`meterChanges.hobbs.${name}`, value])),
    departedAt: departedAt.slice(0, 16),
    landedAt: landedAt.slice(0, 16),
    instructorId: String(instructorId),
    refueled: 'on',
    fuelNotes: fuel?.notes ?? '',
    oilAdded: 'on',
    oilQuantity: String(fuel?.oilQuantity),
  };
}

const starts = { startHobbsTime: '100.0', startTachTime: '90.0' };
const plain = () => ({
  ...completed(at(120), at(5)),
  ...{ created_at: new Date(at(120)), completed_at: new Date(at(5)), completed_by: pilot.id },
});
const open = () => makeFlight(db, pilot, aircraftId, { created_at: new Date(at(120)) });
const idOf = (body: unknown) => z.object({ id: z.number() }).parse(JSON.parse(String(body))).id;
const call = async (path: string, fields: object, user: Member) =>
  answerTo(jsonRequest('POST', path, fields, await cookieOf(db, user)));
const post = async (path: string, fields: Record<string, string>, user: Member) =>
  answerTo(formRequest(path, fields, await cookieOf(db, user)));
const previewed = z.object({ preview: z.object({ digest: z.string() }) });

async function correctByForm(id: number, fields: Record<string, string>, user = admin) {
  const preview = await post(`/flight-logs/${id}/correct`, { ...fields, reason, intent: 'preview' }, user);
  if (preview.status !== 200) return preview;
  const { digest } = previewed.parse(preview.body).preview;
  return post(`/flight-logs/${id}/correct`, { ...fields, reason, intent: 'save', seen: digest }, user);
}

const people = () => ({ aircraftId, pilotId: pilot.id });
const readAgain = { readAgain: 'on', instructionChecked: 'on' };

interface Entry {
  id: number;
  answer: Awaited<ReturnType<typeof answerTo>>;
}

const CALLS: Record<string, (fields: object) => Promise<Entry>> = {
  'a check-in by call': async (fields) => {
    const id = await open();
    return { id, answer: await call(`/api/flight-logs/${id}/complete`, fields, pilot) };
  },
  'closing on behalf by call': async (fields) => {
    const id = await open();
    return { id, answer: await call(`/api/flight-logs/${id}/close`, { ...fields, reason }, admin) };
  },
  'a past flight by call': async (fields) => {
    const answer = await call('/api/flight-logs/past', { ...people(), ...starts, ...fields, reason }, admin);
    return { id: answer.status === 201 ? idOf(answer.body) : 0, answer };
  },
  'a correction by call': async (fields) => {
    const id = await makeFlight(db, pilot, aircraftId, plain());
    return { id, answer: await call(`/api/flight-logs/${id}/correct`, { ...fields, reason }, admin) };
  },
};

const FORMS: Record<string, (fields: Record<string, string>) => Promise<Entry>> = {
  'a check-in by form': async (fields) => {
    const id = await open();
    return { id, answer: await post(`/flight-log/${id}/post-check`, { ...fields, ...readAgain }, pilot) };
  },
  'closing on behalf by form': async (fields) => {
    const id = await open();
    return { id, answer: await post(`/flight-logs/${id}/close`, { ...fields, ...readAgain, reason }, admin) };
  },
  'a past flight by form': async (fields) => {
    const flown = { aircraftId: String(aircraftId), pilotId: String(pilot.id) };
    const answer = await post('/flight-logs/new', { ...starts, ...fields, ...readAgain, ...flown, reason }, admin);
    return { id: Number(answer.headers.get('location')?.split('/').at(-1)), answer };
  },
  'a correction by form': async (fields) => {
    const id = await makeFlight(db, pilot, aircraftId, plain());
    return { id, answer: await correctByForm(id, { ...starts, ...fields, ...readAgain }) };
  },
};

/** Each leaves a flight with all that is recorded, or all but the instructor. */
const DOORS = [
  ...Object.entries(CALLS).map(([name, enter]) => ({
    name,
    enter: () => enter(recorded()),
    enterWithout: () => enter({ ...recorded(), instructorId: null }),
  })),
  ...Object.entries(FORMS).map(([name, enter]) => ({
    name,
    enter: () => enter(recordedForm()),
    enterWithout: () => enter({ ...recordedForm(), instructorId: '' }),
  })),
];

it.each(DOORS)(
  '$name takes all twelve fields, which the details show, but no times of nobody (B1201, B1691, C43, C73)',
  async (door) => {
    const log = await findFlightLog(db, schoolId, (await door.enter()).id);
    const { instructorId, meterChanges, fuelRecords, ...others } = recorded();
    expect(log).toMatchObject({
      ...others,
      ...{ status: 'completed', hobbsHours: '1.60', instructor: { id: instructorId } },
      meterChanges: { hobbs: meterChanges.hobbs, tach: null },
      fuelRecords: [{ ...fuelRecords[0], fuelReceiptImage: null }],
    });
    const segments = db
      .selectFrom('meter_segments')
      .selectAll()
      .where('flight_log_id', '=', log?.id ?? 0);
    expect(await segments.execute()).toMatchObject([
      { meter_type: 'hobbs', reason: 'replaced', remark: 'Cracked glass' },
    ]);
    for (const path of [`/flight-logs/${log?.id}`, `/flight-logs?log=${log?.id}`]) {
      const { $ } = await documentAt(path, await cookieOf(db, pilot));
      expect(textsOf($, '.flight-facts dd')).toContain('Replaced at 100.2, went on from 0.0: Cracked glass');
    }
    await newSchool();
    const { answer, id } = await door.enterWithout();
    expect(answer.status).toBeLessThan(400);
    expect((await findFlightLog(db, schoolId, id))?.instructorTimeOut ?? null).toBeNull();
  },
);

it('each form has the recorded fields in one order, and folds what is rare unless it is called for (B1202, B1382)', async () => {
  const order = [
    ...['endHobbsTime', 'endTachTime', 'meterChanges.hobbs.changed', 'meterChanges.tach.changed'],
    ...['departedAt', 'landedAt', 'refueled', 'fuelNotes', 'oilAdded', 'oilQuantity'],
    ...['instructorId', 'instructorTimeIn', 'instructorTimeOut', 'groundSchoolTime', 'notes'],
  ];
  const asked = ['meterChanges', 'readAgain', 'instructionChecked'];
  const every = Object.keys(recordedFormFields).filter((name) => !asked.includes(name));
  const [flying, flown] = [await open(), await makeFlight(db, pilot, aircraftId, plain())];
  for (const [path, reader] of [
    [`/flight-log/${flying}/post-check`, pilot],
    [`/flight-logs/${flying}/close`, admin],
    ['/flight-logs/new', admin],
    [`/flight-logs/${flown}/correct`, admin],
  ] as const) {
    const { $ } = await documentAt(path, await cookieOf(db, reader));
    const names = $('main form [name]').map((_, input) => $(input).attr('name'));
    expect(
      names.get().filter((name) => order.includes(name)),
      path,
    ).toEqual(order);
    expect(names.get(), path).toEqual(expect.arrayContaining(every));
  }
  const foldsAt = async (path: string, reader: Member) => {
    const { $ } = await documentAt(path, await cookieOf(db, reader));
    expect(textsOf($, 'details.fold summary')).toEqual(['Meter replaced?', 'Times']);
    return $('details.fold')
      .toArray()
      .map((fold) => $(fold).is('[open]'));
  };
  const id = flying;
  expect(await foldsAt(`/flight-log/${id}/post-check`, pilot)).toEqual([false, false]);
  expect(await foldsAt(`/flight-logs/${id}/close`, admin)).toEqual([false, false]);
  expect(await foldsAt('/flight-logs/new', admin)).toEqual([false, true]);
  const late = { created_at: new Date(at(26 * 60)), start_hobbs: '200.0', start_tach: '190.0' };
  const lateId = await makeFlight(db, teacher, await makeAircraft(db, schoolId), late);
  expect(await foldsAt(`/flight-log/${lateId}/post-check`, teacher)).toEqual([false, true]);
  await call(`/api/flight-logs/${id}/complete`, recorded(), pilot);
  expect(await foldsAt(`/flight-logs/${id}/correct`, admin)).toEqual([true, true]);
});

it('closing on behalf opens the squawk of the notes, with its photos, and keeps the receipt (B1203)', async () => {
  const id = await open();
  const ends = { endHobbsTime: '101.2', endTachTime: '91.0', reason };
  const picture = Buffer.from(await codedMeter('12345')).toString('base64');
  const squawk = { notes: 'Left brake soft', unsafe: true, squawkPhotos: [picture] };
  const fuelRecords = [{ refueled: true, fuelReceiptImage: picture }];
  await call(`/api/flight-logs/${id}/close`, { ...ends, ...squawk, fuelRecords }, admin);
  const squawks = await db.selectFrom('squawks').selectAll().where('flight_log_id', '=', id).execute();
  expect(squawks).toMatchObject([{ text: 'Left brake soft', unsafe: true, user_id: admin.id }]);
  const photos = db
    .selectFrom('squawk_photos')
    .selectAll()
    .where('squawk_id', '=', squawks[0]?.id ?? 0);
  expect(await photos.execute()).toHaveLength(1);
  const receipt = expect.stringMatching(/^\/photos\/\d+$/);
  expect(await findFlightLog(db, schoolId, id)).toMatchObject({ fuelRecords: [{ fuelReceiptImage: receipt }] });
});

describe('a correction', () => {
  const revisionsOf = (id: number) =>
    db
      .selectFrom('flight_log_revisions')
      .select(['field', 'old_text', 'new_text', 'user_id', 'reason'])
      .where('flight_log_id', '=', id)
      .orderBy('id')
      .execute();

  it('keeps each value with who changed it, when and why, and the flight’s page shows it (B1204)', async () => {
    const id = await makeFlight(db, pilot, aircraftId, plain());
    const { instructorId, instructorTimeIn, instructorTimeOut, groundSchoolTime, fuelRecords, notes } = recorded();
    const values = { instructorId, instructorTimeIn, instructorTimeOut, groundSchoolTime, fuelRecords, notes };
    expect(await call(`/api/flight-logs/${id}/correct`, { ...values, reason }, admin)).toMatchObject({ status: 200 });
    const by = { user_id: admin.id, reason };
    const fuel = 'refueled, oil 1.5 quarts, (12 gal)';
    expect(await revisionsOf(id)).toEqual([
      { field: 'instructor', old_text: null, new_text: teacher.username, ...by },
      { field: 'instructor_time_in', old_text: null, new_text: '10:00', ...by },
      { field: 'instructor_time_out', old_text: null, new_text: '11:15', ...by },
      { field: 'ground_school_time', old_text: '0', new_text: '0.5', ...by },
      { field: 'fuel_and_oil', old_text: null, new_text: fuel, ...by },
      { field: 'notes', old_text: null, new_text: 'Left brake soft', ...by },
    ]);
    const { $ } = await documentAt(`/flight-logs/${id}`, await cookieOf(db, pilot));
    const shown = $('.note-list li').text();
    for (const words of [`Instructor - → ${teacher.username}: ${reason}`, `Fuel & Oil - → ${fuel}`, admin.username])
      expect(shown).toContain(words);
    await call(`/api/flight-logs/${id}/correct`, { instructorId: null, reason }, admin);
    expect((await revisionsOf(id)).slice(6)).toEqual([
      { field: 'instructor', old_text: teacher.username, new_text: null, ...by },
      { field: 'instructor_time_in', old_text: '10:00', new_text: null, ...by },
      { field: 'instructor_time_out', old_text: '11:15', new_text: null, ...by },
    ]);
  });

  it('is what hours and files are made of (B1205, B1691)', async () => {
    const id = await makeFlight(db, pilot, aircraftId, plain());
    const { instructorId, instructorTimeIn, instructorTimeOut, fuelRecords } = recorded();
    const values = { instructorId, instructorTimeIn, instructorTimeOut, groundSchoolTime: '1' };
    const meterChanges = { tach: { oldLast: '90.5', newFirst: '90.5', reason: 'replaced', remark: 'Stuck; by (us)' } };
    await call(`/api/flight-logs/${id}/correct`, { ...values, fuelRecords, meterChanges, reason }, admin);
    const words = { field: 'tach_change', old_text: null, new_text: 'replaced: Stuck; by (us)' };
    expect(await revisionsOf(id)).toContainEqual(expect.objectContaining(words));
    await call(`/api/flight-logs/${id}/correct`, { meterChanges: null, reason }, admin);
    const withdrawn = { field: 'tach_change', old_text: words.new_text, new_text: null };
    expect(await revisionsOf(id)).toContainEqual(expect.objectContaining(withdrawn));
    await call(`/api/flight-logs/${id}/correct`, { meterChanges, reason }, admin);
    const { rows } = await findHours(db, admin, { by: 'instructor', filter: {} });
    expect(rows).toMatchObject([{ name: teacher.username, instructor: '1.25', ground: '1.00' }]);
    const csv = String((await answerTo(getRequest('/api/flight-logs/export', await cookieOf(db, admin)))).body);
    const [header = [], line = []] = csv.split('\r\n').map((row) => row.replace('\uFEFF', '').split(','));
    const cells = Object.fromEntries(header.map((name, at) => [name, line[at]]));
    expect(cells).toMatchObject({
      ...{ instructor: teacher.username, 'instructor in': '10:00', 'instructor out': '11:15' },
      ...{ 'instructor hours': '1.25', 'ground hours': '1', refueled: 'y', 'oil added': 'y', 'oil quarts': '1.5' },
      ...{ corrected: 'y', 'fuel notes': '12 gal', 'meter changes': 'tach replaced 90.5 to 90.5 (Stuck; by (us))' },
    });
  });

  it('leaves what is not given, and, sent as it came, what was recorded as it is (B1206, B1207)', async () => {
    const id = await open();
    await call(`/api/flight-logs/${id}/complete`, recorded(), pilot);
    await call(`/api/flight-logs/${id}/correct`, { notes: 'Right brake soft', reason }, admin);
    const { instructorId: _instructor, meterChanges: _changes, notes: _notes, ...others } = recorded();
    expect(await findFlightLog(db, schoolId, id)).toMatchObject({ ...others, notes: 'Right brake soft' });
    expect((await revisionsOf(id)).map(({ field, old_text }) => [field, old_text])).toEqual([
      ['notes', 'Left brake soft'],
    ]);
    const squawk = await db.selectFrom('squawks').select('text').where('flight_log_id', '=', id).execute();
    expect(squawk).toEqual([{ text: 'Left brake soft' }]);
    const { $ } = await documentAt(`/flight-logs/${id}/correct`, await cookieOf(db, admin));
    const { requestId: _id, ...fields } = fieldsOf($, 'main form');
    const answer = await post(`/flight-logs/${id}/correct`, { ...fields, reason, intent: 'preview' }, admin);
    expect(answer).toMatchObject({ status: 400 });
    expect(JSON.stringify(answer.body)).toContain('This is the flight as it stands. Please change what is wrong.');
    const change = { 'meterChanges.hobbs.remark': 'Broken', 'meterChanges.hobbs.reason': 'rolled over' };
    const changed = { ...change, oilQuantity: '2' };
    expect((await correctByForm(id, { ...fields, ...changed })).status).toBe(303);
    expect((await revisionsOf(id)).slice(1)).toMatchObject([
      { field: 'hobbs_change', old_text: 'replaced: Cracked glass', new_text: 'rolled over: Broken' },
      { field: 'fuel_and_oil', new_text: 'refueled, oil 2.0 quarts, (12 gal)' },
    ]);
    expect(await findFlightLog(db, schoolId, id)).toMatchObject({ meterChanges: { hobbs: { reason: 'rolled over' } } });
  });

  it('keeps the receipt, the records and the notes that its form does not show (B1207, B1208)', async () => {
    const id = await makeFlight(db, pilot, aircraftId, plain());
    const receipt_photo_id = await makePhoto(db, pilot);
    const owned = { school_id: schoolId, flight_log_id: id };
    await insert(
      db,
      'fuel_records',
      { ...owned, refueled: true, receipt_photo_id },
      { ...owned, oil_added: true, oil_quantity: '1.0' },
    );
    const readings = { ...starts, endHobbsTime: '101.2', endTachTime: '91.0', groundSchoolTime: '0' };
    await correctByForm(id, { ...readings, refueled: 'on', fuelNotes: '30 l' });
    const receipt = `/photos/${receipt_photo_id}`;
    const second = { oilAdded: true, oilQuantity: 1, refueled: false };
    expect(await findFlightLog(db, schoolId, id)).toMatchObject({
      fuelRecords: [{ refueled: true, notes: '30 l', fuelReceiptImage: receipt }, second],
    });
    await call(`/api/flight-logs/${id}/correct`, { fuelRecords: [], reason }, admin);
    expect(await findFlightLog(db, schoolId, id)).toMatchObject({
      fuelRecords: [{ refueled: false, notes: '', oilAdded: false, fuelReceiptImage: receipt }],
    });
    for (const fuel of [
      { oilAdded: true, oilQuantity: 1, notes: 'W100' },
      { notes: '20 gal left' },
      { refueled: false, oilAdded: false },
    ]) {
      const id = await makeFlight(db, pilot, aircraftId, { created_at: new Date(at(120)) });
      await call(`/api/flight-logs/${id}/complete`, { ...recorded(), fuelRecords: [fuel] }, pilot);
      const before = await findFlightLog(db, schoolId, id);
      const { $ } = await documentAt(`/flight-logs/${id}/correct`, await cookieOf(db, admin));
      const { requestId: _id, ...fields } = fieldsOf($, 'main form');
      expect((await correctByForm(id, { ...fields, notes: 'Right brake soft' })).status).toBe(303);
      expect(await revisionsOf(id)).toMatchObject([{ field: 'notes' }]);
      expect((await findFlightLog(db, schoolId, id))?.fuelRecords).toEqual(before?.fuelRecords);
    }
  });

  it('asks for a tick where instruction is too long, is refused to others and for nothing (B1209, B1210)', async () => {
    const id = await makeFlight(db, pilot, aircraftId, plain());
    const readings = { ...starts, endHobbsTime: '101.2', endTachTime: '91.0', groundSchoolTime: '0' };
    const times = { instructorTimeIn: '08:00', instructorTimeOut: '14:00' };
    const long = { ...readings, instructorId: String(teacher.id), ...times };
    const answer = await post(`/flight-logs/${id}/correct`, { ...long, reason, intent: 'preview' }, admin);
    expect(answer).toMatchObject({
      status: 400,
      body: { result: { error: { instructionChecked: expect.anything() } } },
    });
    expect((await correctByForm(id, { ...long, instructionChecked: 'on' })).status).toBe(303);
    expect((await correctByForm(id, { ...long, notes: 'Smooth' })).status).toBe(303);
    const correct = async (fields: object, user: Member) => {
      const { status, body } = await call(`/api/flight-logs/${id}/correct`, { ...fields, reason }, user);
      return status === 200 ? 200 : [status, body];
    };
    const refusal = 'Only the pilot of this flight or an administrator can correct it.';
    expect(await correct({ groundSchoolTime: '1' }, teacher)).toEqual([403, refusal]);
    expect(await correct({ instructorId: pilot.id }, admin)).toEqual([400, 'Invalid instructor']);
    expect(await correct({}, admin)).toEqual([400, 'This is the flight as it stands. Please change what is wrong.']);
    expect(await correct({ groundSchoolTime: '1' }, pilot)).toBe(200);
    const flying = await makeFlight(db, admin, await makeAircraft(db, schoolId));
    const early = await call(`/api/flight-logs/${flying}/correct`, { notes: 'Smooth', reason }, admin);
    expect(early).toMatchObject({ status: 400, body: 'The flight is in progress: its check-in takes this.' });
  });
});

const below = 'End Tach time must be greater than start time';

it('a bad reading is told beside the other one, and empty texts are none (B1212, B1213)', async () => {
  const id = await open();
  for (const [act, user] of Object.entries({ complete: pilot, close: admin })) {
    const fields = { endTachTime: '89.6', ...(act === 'close' && { reason }) };
    const errorOf = async (endHobbsTime: string) =>
      (await call(`/api/flight-logs/${id}/${act}`, { endHobbsTime, ...fields }, user)).body;
    expect(await errorOf('')).toBe(`End Hobbs time is required\n${below}`);
    expect(await errorOf('x')).toBe(`End Hobbs time must be a number\n${below}`);
  }
  const empty = { instructorTimeIn: '', instructorTimeOut: '', groundSchoolTime: '', notes: '' };
  const ends = { endHobbsTime: '101.2', endTachTime: '91.0', startHobbsTime: '', startTachTime: '' };
  const answer = await call(`/api/flight-logs/${id}/complete`, { ...ends, ...empty }, pilot);
  expect(answer.status).toBe(200);
  expect(await findFlightLog(db, schoolId, id)).toMatchObject({ groundSchoolTime: '0', notes: '' });
});

it('a field that a call does not take is refused by its name, and ignored where no call knows it (B1211, B1278)', async () => {
  const id = await open();
  const ends = { endHobbsTime: '101.2', endTachTime: '91.0' };
  const free = await makeAircraft(db, schoolId);
  const cessna = { tailNumber: 'N9FL', make: 'Cessna', model: '172S', year: 2001 };
  const past = { ...people(), ...starts, ...recorded(), reason, unsafe: true };
  for (const [path, user, fields, named] of [
    [`/${id}/complete`, pilot, { ...ends, fuelRecords: [{ refueled: true, price: 12 }] }, '"fuelRecords.0.price"'],
    [`/${id}/correct`, admin, { reason, unsafe: true, squawkPhotos: [] }, '"unsafe", "squawkPhotos"'],
    [`/${id}/correct`, admin, { reason, meterChanges: { hobbs: null, tacho: null } }, '"meterChanges.tacho"'],
    ['', teacher, { ...starts, aircraftId: free, notes: 'Flat tyre' }, '"notes"'],
    ['/past', admin, past, '"unsafe"'],
    ['/../aircraft', admin, { ...cessna, endHobbsTime: '1.0' }, '"endHobbsTime"'],
  ] as const) {
    const answer = await call(`/api/flight-logs${path}`, fields, user);
    expect(answer, path).toMatchObject({ status: 400, body: `This call does not take ${named}.` });
  }
  expect(await findFlightLog(db, schoolId, id)).toMatchObject({ status: 'in_progress' });
  expect(await call('/api/aircraft', { ...cessna, color: 'red' }, admin)).toMatchObject({ status: 201 });
  const unknown = { ...ends, passengers: 3, completedAt: '2001-01-01T00:00:00Z' };
  expect(await call(`/api/flight-logs/${id}/complete`, unknown, pilot)).toMatchObject({ status: 200 });
});
