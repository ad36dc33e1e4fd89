import { beforeEach, expect, it } from 'vitest';
import { action, loader } from '#app/routes/flight-log.$id.post-check/route.tsx';
import { expireSessions, makeFlight, type Member, testDatabase } from '#tests/support/makers.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import {
  answerOf,
  call,
  cookieOf,
  errorTextOf,
  formRequest,
  getRequest,
  multipartRequest,
} from '#tests/support/ask.ts';
import { documentAfter, documentAt, fieldsOf, linksIn, textOf } from '#tests/support/pages.ts';
import { texts } from '#app/domain/texts.ts';
import { closeFlight } from '#app/domain/flights/end-flight.server.ts';
import { findFlightLog } from '#app/domain/flights/queries.server.ts';
import { cutOffFirstReader, withoutColumn } from '#tests/support/faults.ts';
import { drawBlankPhoto } from '#tests/support/pictures.ts';

const { db } = await testDatabase();

let schoolId: number, pilot: Member, cookie: string, aircraftId: number, id: number;

beforeEach(async () => {
  schoolId = await makeSchool(db);
  pilot = await makeUser(db, schoolId);
  cookie = await cookieOf(db, pilot);
  aircraftId = await makeAircraft(db, schoolId, { tail_number: 'N512FL', last_hobbs: '100.0', last_tach: '90.0' });
  id = await makeFlight(db, pilot, aircraftId);
});

const path = (flight: number | string) => `/flight-log/${flight}/post-check`;
const load = (flight: number | string) => loader(call(getRequest(path(flight), cookie), { id: String(flight) }));
const read = async (flight: number | string = id) => (await load(flight)).data;
const send = (fields: Record<string, string>, flight: number | string = id) =>
  action(call(formRequest(path(flight), fields, cookie), { id: String(flight) }));

/** What the page became when it could not be shown. */
async function page(work: Promise<unknown>) {
  const answer = await answerOf(work);
  return { status: answer.status, text: errorTextOf(answer) };
}

async function refusal(fields: Record<string, string>) {
  const answer = await send(fields);
  if (answer instanceof Response) throw new Error(`led to ${answer.headers.get('location')}`);
  const { result, toast } = answer.data;
  return { status: answer.init?.status, errors: result?.error, kept: result?.initialValue, toast };
}

async function completedWith(fields: Record<string, string>) {
  const answer = await send({ ...ended, ...fields });
  if (!(answer instanceof Response)) throw new Error(`refused: ${JSON.stringify(answer.data.result?.error)}`);
  expect(answer.headers.get('location')).toBe('/');
  return findFlightLog(db, schoolId, id);
}

const ended = { endHobbsTime: '101.2', endTachTime: '91.0' };

function withReceipt(bytes: Buffer, type = 'image/jpeg', fields: Record<string, string> = {}) {
  const fuelReceiptImage = new File([new Uint8Array(bytes)], 'receipt.jpg', { type });
  const receipt = { ...ended, refueled: 'on', ...fields, fuelReceiptImage };
  return action(call(multipartRequest(path(id), receipt, cookie), { id: String(id) }));
}

it('the check-in page shows the flight, who may instruct, and thirteen ground school times (B191, B196, B198)', async () => {
  const [anna, zoe] = [
    await makeUser(db, schoolId, 'instructor', 'anna'),
    await makeUser(db, schoolId, 'administrator', 'zoe'),
  ];
  await makeUser(db, await makeSchool(db), 'instructor');
  const shown = await read();
  expect(shown.flight).toEqual({
    ...{ id, status: 'in_progress', aircraft: { id: aircraftId, tailNumber: 'N512FL', make: 'Cessna', model: '172S' } },
    ...{ startHobbsTime: '100.0', startTachTime: '90.0' },
    ...{ checkedOutAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/), departedAt: '' },
  });
  expect(shown.instructors.value).toEqual([
    { value: String(anna.id), label: 'anna' },
    { value: String(zoe.id), label: 'zoe' },
  ]);
  expect(shown.groundSchoolTimes).toHaveLength(13);
  expect(shown.groundSchoolTimes.map(({ value }) => value).join(' ')).toBe(
    '0 0.25 0.5 0.75 1 1.25 1.5 1.75 2 2.25 2.5 2.75 3',
  );
});

it('checking in no flight, another pilot’s or a completed one is refused at once (B211, B213, B214, C08, C33)', async () => {
  const expected = { status: 404, text: 'Could not find flight log. Please try again.' };
  for (const junk of ['0', '-1', 'abc', '1e3', '99999999999', '1; drop table users']) {
    expect(await page(load(junk)), junk).toMatchObject(expected);
    expect(await page(send(ended, junk)), junk).toMatchObject(expected);
  }
  const own = cookie;
  cookie = await cookieOf(db, await makeUser(db, schoolId, 'administrator'));
  const others = { status: 403, text: 'Only the pilot who started this flight can complete it.' };
  expect(await page(load(id))).toMatchObject(others);
  expect(await page(send({}))).toMatchObject(others);
  expect(await findFlightLog(db, schoolId, id)).toMatchObject({ status: 'in_progress' });
  cookie = own;
  await completedWith({});
  const gone = { status: 409, text: 'This flight has already been completed.' };
  expect(await page(load(id))).toMatchObject(gone);
  expect(await page(send({ endHobbsTime: 'x' }))).toMatchObject(gone);
  expect(await page(send({ endHobbsTime: '150', endTachTime: '150' }))).toMatchObject(gone);
  expect(await findFlightLog(db, schoolId, id)).toMatchObject({ endHobbsTime: '101.2' });
});

it('notes of a flight that was closed meanwhile wait in the form that reports a squawk (B1655)', async () => {
  const admin = await makeUser(db, schoolId, 'administrator');
  await closeFlight(db, admin, id, { ...ended, reason: 'Left for home' });
  const notes = 'Brakes fail';
  const refused = await documentAfter(path(id), { ...ended, notes, unsafe: 'on' }, cookie);
  expect([refused.status, textOf(refused.$('main'))]).toEqual([
    409,
    expect.stringContaining('has already been completed.'),
  ]);
  const squawk = `/airplanes/${aircraftId}/squawks/add`;
  expect(linksIn(refused.$, 'main')).toContain(`Report Your Notes as a Squawk → ${squawk}`);
  const { $ } = await documentAt(squawk, cookie);
  expect(fieldsOf($, 'main form')).toMatchObject({ text: notes, unsafe: 'on' });
  await documentAfter(path(id), { ...ended, notes: 'Flat tyre' }, cookie);
  const both = await documentAt(squawk, cookie);
  expect(fieldsOf(both.$, 'main form')).toMatchObject({ text: `${notes}\r\nFlat tyre`, unsafe: 'on' });
  const without = await documentAfter(path(id), ended, cookie);
  expect(linksIn(without.$, 'main').join()).not.toContain('Squawk');
});

it('the page works without the list of instructors, and reads its flight a second time (B211, B212, B299, B304)', async () => {
  const again = await cutOffFirstReader(db, 'flight_logs', () => read());
  expect(again.flight.id).toBe(id);
  await withoutColumn(db, 'flight_logs', 'start_tach', async () => {
    expect(await page(load(id))).toMatchObject({ status: 500 });
  });
  expect((await findFlightLog(db, schoolId, id))?.status).toBe('in_progress');
  await withoutColumn(db, 'users', 'username_key', async () => {
    const shown = await read();
    expect(shown.instructors).toEqual({ value: null, failure: 'Failed to fetch instructors' });
    expect(await completedWith({})).toMatchObject({ status: 'completed' });
  });
});

it('a flight is checked in with two end readings, and once however often it is sent (B207, B208, B209, C58)', async () => {
  const form = { ...ended, requestId: '5b0d6f4e-4d0b-4b4e-8a52-6f9d5f0a7c11' };
  expect(await completedWith(form)).toMatchObject({
    status: 'completed',
    completedAt: expect.any(String),
    ...ended,
    instructor: null,
    groundSchoolTime: '0',
    notes: '',
    fuelRecords: [],
  });
  expect(await completedWith(form)).toMatchObject({ status: 'completed' });
  expect(await completedWith({})).toMatchObject({ status: 'completed' });
});

it('what is wrong with a check-in is named in order, and kept (B201-B203, B210, B321, B919, C52, C53)', async () => {
  expect(await refusal({ endHobbsTime: '', endTachTime: ' ', notes: 'Flat tyre' })).toMatchObject({
    status: 400,
    errors: { endHobbsTime: ['End Hobbs time is required'], endTachTime: ['End Tach time is required'] },
    kept: { notes: 'Flat tyre' },
  });
  expect(
    await refusal({ endHobbsTime: '100.0', endTachTime: '89.9', notes: 'Flat tyre', refueled: 'on' }),
  ).toMatchObject({
    status: 400,
    errors: {
      endHobbsTime: ['End Hobbs time must be greater than start time'],
      endTachTime: ['End Tach time must be greater than start time'],
    },
    kept: { endHobbsTime: '100.0', endTachTime: '89.9', notes: 'Flat tyre', refueled: 'on' },
    toast: null,
  });
  const { errors } = await refusal({ endHobbsTime: '1', endTachTime: '', oilAdded: 'on', oilQuantity: '-1' });
  expect(Object.keys(errors ?? {})).toEqual(['endHobbsTime', 'endTachTime', 'oilQuantity']);
  const student = await makeUser(db, schoolId);
  const foreign = await makeUser(db, await makeSchool(db), 'instructor');
  for (const instructorId of [String(student.id), String(foreign.id), '2147483647']) {
    expect((await refusal({ ...ended, instructorId })).errors).toEqual({ instructorId: ['Invalid instructor'] });
  }
  const wrong = { instructorId: 'me', instructorTimeIn: '25:00', groundSchoolTime: '0.3' };
  expect((await refusal({ ...ended, ...wrong })).errors).toEqual({
    instructorId: ['Invalid instructor'],
    instructorTimeIn: ['Times must be given as HH:MM'],
    groundSchoolTime: ['Invalid ground school time'],
  });
});

it('the oil quantity at check-in is a number from 0, to a tenth, with a comma or a point (B194, B206, B595, C51)', async () => {
  for (const oilQuantity of ['-0.1', 'abc', '1e9', 'Infinity', '1,5,5', '1.234,5']) {
    expect((await refusal({ ...ended, oilAdded: 'on', oilQuantity })).errors).toEqual({
      oilQuantity: ['Oil quantity must be 0 or more'],
    });
  }
  const log = await completedWith({ oilAdded: 'on', oilQuantity: ' 1,5 ' });
  expect(log?.fuelRecords).toEqual([
    { refueled: false, oilAdded: true, oilQuantity: 1.5, notes: '', fuelReceiptImage: null },
  ]);
});

it('a check-in ignores fields of a switch that is off, a receipt without refueling too (C51, C54, C73)', async () => {
  const left = { refueled: '', oilQuantity: '-7', fuelNotes: 'left over' };
  expect(await withReceipt(Buffer.from('not a photo'), 'image/jpeg', left)).toMatchObject({ status: 303 });
  expect(await findFlightLog(db, schoolId, id)).toMatchObject({ fuelRecords: [] });
});

it('a check-in stores instructor, times, ground school time, and squawks whole (B197, B199, B324, C43, C52, C53)', async () => {
  const anna = await makeUser(db, schoolId, 'instructor');
  const squawk = `<script>alert("1")</script> 'quoted'\n=1+1\n🛩 `;
  const notes = squawk.repeat(400).slice(0, 10_000).trim();
  const log = await completedWith({
    ...{ notes: notes.replaceAll('\n', '\r\n'), instructorId: String(anna.id), instructorTimeIn: '22:15' },
    ...{ instructorTimeOut: '00:45:00', groundSchoolTime: '0.75' },
  });
  expect(log).toMatchObject({
    ...{ instructor: { id: anna.id, username: anna.username }, instructorTimeIn: '22:15' },
    ...{ instructorTimeOut: '00:45', groundSchoolTime: '0.75', notes },
  });
});

it('a fuel receipt is stored as a photo of the school; what is no photo is refused beside its field (C54)', async () => {
  const answer = await withReceipt(Buffer.from('<svg/>'), 'image/jpeg', { notes: 'Flat tyre' });
  if (answer instanceof Response) throw new Error('it was taken');
  expect(answer.data.result?.error).toEqual({ fuelReceiptImage: ['Please use a JPEG or PNG photo.'] });
  expect(answer.data.result?.initialValue).toMatchObject({ notes: 'Flat tyre', refueled: 'on' });
  expect(await findFlightLog(db, schoolId, id)).toMatchObject({ status: 'in_progress' });
  expect(await db.selectFrom('photos').selectAll().where('user_id', '=', pilot.id).execute()).toEqual([]);
  expect(await withReceipt(await drawBlankPhoto(), 'image/jpeg', { fuelNotes: '20 gal' })).toMatchObject({
    status: 303,
  });
  const log = await findFlightLog(db, schoolId, id);
  expect(log?.fuelRecords).toEqual([
    {
      refueled: true,
      oilAdded: false,
      oilQuantity: null,
      notes: '20 gal',
      fuelReceiptImage: expect.stringMatching(/^\/photos\/\d+$/),
    },
  ]);
  const photos = await db
    .selectFrom('photos')
    .select(['school_id', 'user_id'])
    .where('user_id', '=', pilot.id)
    .execute();
  expect(photos).toEqual([{ school_id: schoolId, user_id: pilot.id }]);
});

it('a check-in sent after the session ended is kept, offered again after sign-in, and gone once sent (C56)', async () => {
  await expireSessions(db, pilot);
  const parked = await send({ ...ended, notes: 'Flat tyre', oilAdded: 'on' }).catch((answer: unknown) => answer);
  expect(parked).toMatchObject({ status: 303 });

  cookie = await cookieOf(db, pilot);
  const page = () => documentAt(`/flight-log/${id}/post-check`, cookie);
  const shown = async () => textOf((await page()).$('main'));
  const { $ } = await page();
  const values = Object.keys(ended).map((name) => [name, $(`input[name=${name}]`).attr('value')]);
  expect(Object.fromEntries(values)).toEqual(ended);
  expect([$('textarea[name=notes]').text(), $('input[name=oilAdded]').is('[checked]')]).toEqual(['Flat tyre', true]);
  expect(await shown()).toContain(texts.formRestored);
  expect(await refusal({ ...ended, endTachTime: '1' })).toMatchObject({ status: 400 });
  expect(await shown()).toContain(texts.formRestored);
  await completedWith({ notes: 'Flat tyre' });
  expect(await db.selectFrom('drafts').selectAll().where('user_id', '=', pilot.id).execute()).toEqual([]);
});
