import { beforeEach, describe, expect, it } from 'vitest';
import { findDraft } from '#app/domain/drafts.server.ts';
import { checkInDraftKey } from '#app/domain/flights/record-end.server.ts';
import { loader as wizardLoader } from '#app/routes/flight-log._index/route.tsx';
import { loader as checkInLoader } from '#app/routes/flight-log.$id.post-check/route.tsx';
import { answerTo, call, cookieOf, getRequest, multipartRequest, toastAfter } from '#tests/support/ask.ts';
import { makeAircraft, makeFlight, makeSchool, makeUser, testDatabase } from '#tests/support/makers.ts';
import { codedMeter, twoCodedMeters } from '#tests/support/coded-meter.ts';
import { drawBlankPhoto } from '#tests/support/pictures.ts';

const { db } = await testDatabase();
const schoolId = await makeSchool(db);
const fileOf = async (picture: Promise<Buffer>) => new File([new Uint8Array(await picture)], 'hobbs.jpg');
const clear = await fileOf(codedMeter('12345'));
const nothing = await fileOf(drawBlankPhoto());
const rolling = await fileOf(codedMeter('12349', { rolling: true }));
let pilot: Awaited<ReturnType<typeof makeUser>>, cookie: string, aircraftId: number;
beforeEach(async () => {
  pilot = await makeUser(db, schoolId);
  cookie = await cookieOf(db, pilot);
  aircraftId = await makeAircraft(db, schoolId);
});

const scans = () => db.selectFrom('scans').selectAll().where('user_id', '=', pilot.id).orderBy('id').execute();

const send = (fields: Record<string, string | File>, step = 1) =>
  answerTo(multipartRequest(`/flight-log?step=${step}`, { aircraftId: String(aircraftId), ...fields }, cookie));
const read = { intent: 'read-hobbs', startHobbsTime: '', startTachTime: '' };
const view = async (step = 1, query = '') =>
  (await wizardLoader(call(getRequest(`/flight-log?step=${step}${query}`, cookie)))).view;

it('a photo read at check-out fills its field, keeps the other and announces its confidence (B148, B149, B170)', async () => {
  const answer = await send({ ...read, startTachTime: '98x', startHobbsPhoto: clear });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/flight-log?step=1&read=hobbs']);
  const toast = await toastAfter(answer);
  expect(toast).toMatchObject({ title: 'Reading Detected', text: '1234.5 · Confidence: High', tone: 'default' });
  const [scan] = await scans();
  expect(await view(1, '&read=hobbs')).toMatchObject({
    meterJustRead: 'hobbs',
    checkOutDraft: { startHobbsTime: '1234.5', startTachTime: '98x' },
    scans: { hobbs: { id: scan?.id, detectedText: '1234.5', photo: `/photos/${scan?.photo_id}` }, tach: null },
  });
});

it('a figure in doubt, or another counter in the photo, is told with the reading filled at check-out (B676, B678)', async () => {
  await send({ ...read, startHobbsPhoto: await fileOf(codedMeter('12343', { rolling: true })) });
  expect(await view(1, '&read=hobbs')).toMatchObject({
    checkOutDraft: { startHobbsTime: '1234.3' },
    scans: {
      hobbs: { doubt: 'The last drum stands between 3 and 4.', doubtful: [false, false, false, false, true] },
    },
  });
  await send({ ...read, startHobbsPhoto: await fileOf(twoCodedMeters('005479', '244483')) });
  const alternative = 'Reads 547.9; 24448.3 is in the photo too.';
  expect(await view(1, '&read=hobbs')).toMatchObject({ scans: { hobbs: { doubt: null, alternative } } });
  const scan = (await scans()).at(-1);
  const filled = { startHobbsTime: '547.9', startTachTime: '98x', startHobbsScan: String(scan?.id) };
  const answer = await send({ ...filled, intent: 'use-other-hobbs' });
  expect(answer.headers.get('location')).toBe('/flight-log?step=1&read=hobbs');
  expect(await view(1)).toMatchObject({
    checkOutDraft: { startHobbsTime: '24448.3', startTachTime: '98x' },
    scans: { hobbs: { id: scan?.id } },
  });
  await send({ ...filled, startHobbsScan: '0', intent: 'use-other-hobbs' });
  expect(await view(1)).toMatchObject({ checkOutDraft: { startHobbsTime: '547.9' } });
});

it('the last figure is chosen without a script, unless the reading was typed since at check-out (B1313)', async () => {
  await send({ ...read, startHobbsPhoto: rolling });
  const { scans: shown } = Object(await view(1, '&read=hobbs'));
  expect(shown.hobbs.choices).toEqual(['1234.9', '1235.0']);
  const chosen = {
    startTachTime: '987.6',
    startHobbsScan: String(shown.hobbs.id),
    startHobbsChoice: '1234.9 1235.0',
  };
  await send({ ...chosen, startHobbsTime: '1234.9', intent: 'next' });
  expect(await view(1)).toMatchObject({ checkOutDraft: { startHobbsTime: '1235.0', startTachTime: '987.6' } });
  await send({ ...chosen, startHobbsTime: '1234.8', intent: 'next' });
  expect(await view(1)).toMatchObject({ checkOutDraft: { startHobbsTime: '1234.8' } });
});

it('a reading that the meter cannot show is not filled in at check-out, and can be used all the same (B1312)', async () => {
  aircraftId = await makeAircraft(db, schoolId, { last_hobbs: '5549.8', last_tach: '98.0' });
  const trip = await fileOf(codedMeter('00620'));
  const answer = await send({ ...read, startTachTime: '98.0', startHobbsPhoto: trip });
  expect(await toastAfter(answer)).toMatchObject({
    title: 'Error',
    text: 'The counter that fits the last reading was not found.',
    tone: 'destructive',
  });
  const [scan] = await scans();
  expect(await view(1, '&read=hobbs')).toMatchObject({
    checkOutDraft: { startHobbsTime: '', startTachTime: '98.0' },
    scans: { hobbs: { id: scan?.id, other: '62.0' } },
  });
  const typed = { startHobbsTime: '', startTachTime: '98.0', startHobbsScan: String(scan?.id) };
  await send({ ...typed, intent: 'use-other-hobbs' });
  expect(await view(1)).toMatchObject({ checkOutDraft: { startHobbsTime: '62.0', startTachTime: '98.0' } });
});

it('a photo without a reading, none or no picture says so beside it, and keeps typed values (B131, B172)', async () => {
  const typed = { startHobbsTime: '1 234', startTachTime: '9' };
  for (const [photo, message] of [
    [nothing, 'Could not detect meter reading clearly. Please verify and enter manually.'],
    [new File([], ''), 'Please choose a photo of the meter'],
    [new File(['%PDF-1.7'], 'meter.pdf'), 'Please use a JPEG or PNG photo.'],
  ] as const) {
    const { status, body } = await send({ intent: 'read-tach', ...typed, startTachPhoto: photo });
    const result = { error: { startTachPhoto: [message] }, initialValue: typed };
    expect([status, body]).toMatchObject([400, { result }]);
  }
  expect(await scans()).toEqual([]);
});

it("a photo chosen at check-out is read by 'Next' where its reading is missing", async () => {
  const answer = await send({ intent: 'next', startHobbsTime: '', startTachTime: '987.6', startHobbsPhoto: clear });
  expect(answer.headers.get('location')).toBe('/flight-log?step=1&read=hobbs');
});

it('the photo read at check-out is stored with the flight, beside the reading as the pilot corrected it', async () => {
  await send({ ...read, startTachTime: '987.6', startHobbsPhoto: clear });
  const [scan] = await scans();
  const typed = { startHobbsTime: '1234.6', startTachTime: '987.6', startHobbsScan: String(scan?.id) };
  await send({ ...typed, intent: 'next' });
  expect(await view(2)).toMatchObject({ checkOutDraft: { scans: { hobbs: { id: scan?.id } } } });
  expect((await send(typed, 2)).status).toBe(303);
  const log = await db.selectFrom('flight_logs').selectAll().where('user_id', '=', pilot.id).executeTakeFirstOrThrow();
  expect(log).toMatchObject({
    start_hobbs: '1234.6',
    start_hobbs_photo_id: scan?.photo_id,
    start_tach_photo_id: null,
  });
});

describe('the check-in', () => {
  let id: number;
  beforeEach(async () => {
    id = await makeFlight(db, pilot, aircraftId, { start_hobbs: '1232.5', start_tach: '90.0' });
  });
  const path = () => `/flight-log/${id}/post-check`;
  const send = (fields: Record<string, string | File>) =>
    answerTo(multipartRequest(path(), { typedForm: `${path()}#check-in`, ...fields }, cookie));
  const read = async () =>
    (await checkInLoader(call(getRequest(`${path()}?read=hobbs`, cookie), { id: String(id) }))).data;

  it('a photo read at check-in fills its field, keeps every other one, and is stored with the flight (B192, B149)', async () => {
    const fuel = { refueled: 'on', fuelNotes: 'Topped off', oilAdded: 'on', oilQuantity: '1.5' };
    const typed = { endTachTime: '9x', ...fuel, notes: 'Flat tyre' };
    const answer = await send({ ...typed, endHobbsTime: '', intent: 'read-hobbs', endHobbsPhoto: clear });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${path()}?read=hobbs`]);
    const [scan] = await scans();
    const shown = await read();
    expect(shown).toMatchObject({ meterJustRead: 'hobbs', scans: { hobbs: { id: scan?.id }, tach: null } });
    const { values } = await findDraft(db, pilot.id, checkInDraftKey(id));
    expect(values).toMatchObject({ ...typed, endHobbsTime: '1234.5' });
    const done = await send({ ...typed, endHobbsTime: '1234.5', endTachTime: '91.7', endHobbsScan: String(scan?.id) });
    expect([done.status, done.headers.get('location')]).toEqual([303, '/']);
    const log = await db.selectFrom('flight_logs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(log).toMatchObject({ end_hobbs: '1234.5', end_hobbs_photo_id: scan?.photo_id, end_tach_photo_id: null });
    const { body } = await answerTo(getRequest(`/flight-logs?log=${id}`, cookie));
    const photos = { startPhoto: null, endPhoto: `/photos/${scan?.photo_id}` };
    expect(body).toMatchObject({ flight: { details: { hobbs: photos } } });
    expect(await db.selectFrom('drafts').selectAll().where('user_id', '=', pilot.id).execute()).toEqual([]);
  });

  it('a photo without a reading at check-in leaves everything that was typed (B172, B210)', async () => {
    const answer = await send({ endTachTime: '91', endHobbsTime: '', notes: 'Flat tyre', endHobbsPhoto: nothing });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        result: {
          error: { endHobbsPhoto: [expect.stringContaining('Could not detect')] },
          initialValue: { endTachTime: '91', notes: 'Flat tyre' },
        },
      },
    });
  });

  it('the last figure is chosen without a script at check-in, too (B1313)', async () => {
    await db
      .updateTable('flight_logs')
      .set({ start_hobbs: '1233.9', start_tach: '980.0' })
      .where('id', '=', id)
      .execute();
    await send({ intent: 'read-hobbs', endTachTime: '981.1', endHobbsTime: '', endHobbsPhoto: rolling });
    const [scan] = await scans();
    const chosen = { endTachTime: '981.1', endHobbsScan: String(scan?.id), endHobbsChoice: '1234.9 1235.0' };
    expect((await send({ ...chosen, endHobbsTime: '1234.9' })).status).toBe(303);
    const ended = db.selectFrom('flight_logs').select(['end_hobbs', 'end_hobbs_photo_id']).where('id', '=', id);
    expect(await ended.executeTakeFirstOrThrow()).toEqual({ end_hobbs: '1235.0', end_hobbs_photo_id: scan?.photo_id });
  });
});
