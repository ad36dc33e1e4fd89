import { expect, it } from 'vitest';
import { PAGE_ROWS } from '#app/limits.ts';
import { action } from '#app/routes/api.analyze-image.ts';
import { loader as resultsLoader } from '#app/routes/api.ocr-results.ts';
import { loader as scanLoader } from '#app/routes/ocr._index/route.tsx';
import { loader as historyLoader } from '#app/routes/ocr.history/route.tsx';
import { loader as photoLoader } from '#app/routes/photos.$id.ts';
import { makeAircraft, makeFlight, makeSchool, makeUser, testDatabase } from '#tests/support/makers.ts';
import { call, cookieOf, getRequest, jsonRequest } from '#tests/support/requests.ts';
import { nightly } from '#tests/support/takes-all.ts';
import { codedMeter } from '#tests/support/coded-meter.ts';
import { makePhoto, makeScan } from '#tests/support/scanned-photo.ts';

const { db } = await testDatabase();
const school = await makeSchool(db);
const student = await makeUser(db, school);
const cookie = await cookieOf(db, student);
const foreignCookie = await cookieOf(db, await makeUser(db, await makeSchool(db)));

async function scan(aircraftId: number, digits: string) {
  const imageData = (await codedMeter(digits)).toString('base64');
  const body = { imageData, meterType: 'hobbs', aircraftId };
  return (await action(call(jsonRequest('POST', '/api/analyze-image', body, cookie)))).json();
}

const idOf = (photo: string) => photo.split('/').at(-1)!;

it('a scan keeps what the photo alone shows; farther than can have been flown it is not taken (B1312, C06)', async () => {
  const cutOff = await scan(await makeAircraft(db, school, { last_hobbs: '1234.1' }), '01234');
  expect(cutOff).toMatchObject({ detectedText: '1234', otherText: '123.4' });
  expect(Number(cutOff.confidence)).toBeLessThan(0.8);
  expect((await (await resultsLoader(call(getRequest('/api/ocr-results', cookie)))).json())[0]).toEqual(cutOff);

  const shown = { alternative: 'Reads 1234; 123.4 would fit the photo too.', crop: cutOff.crop };
  const lower = 'Lower than the last recorded reading (1234.1).';
  expect(await scanLoader(call(getRequest(`/ocr?scan=${cutOff.id}`, cookie)))).toMatchObject({
    scan: shown,
    note: lower,
  });
  expect((await historyLoader(call(getRequest('/ocr/history', cookie)))).scans[0]).toMatchObject(shown);
  const read = async (hoursAgo: number) => {
    const last_hobbs_at = new Date(Date.now() - hoursAgo * 3_600_000);
    return scan(await makeAircraft(db, school, { last_hobbs: '1000.0', last_hobbs_at }), '010900');
  };
  expect(await read(1)).toMatchObject({ detectedText: '', otherText: '1090.0' });
  expect(await read(100)).toMatchObject({ detectedText: '1090.0' });
});

it('a reading that the meter cannot show is not taken for its own, but offered as of another counter (B1312)', async () => {
  const aircraftId = await makeAircraft(db, school, { last_hobbs: '5549.8' });
  const found = await scan(aircraftId, '00620');
  expect(found).toMatchObject({
    detectedText: '',
    otherText: '62.0',
    otherKind: 'other counter',
  });
  expect((await (await resultsLoader(call(getRequest('/api/ocr-results', cookie)))).json())[0]).toEqual(found);
  const alternative = 'The counter that fits the last reading was not found. 62.0 is in the photo.';
  expect((await scanLoader(call(getRequest(`/ocr?scan=${found.id}`, cookie)))).scan).toMatchObject({ alternative });
  expect((await historyLoader(call(getRequest('/ocr/history', cookie)))).scans[0]).toMatchObject({ alternative });
});

nightly('the pages of the scan history have every scan once, and lead back to the newest (B128)', async () => {
  const other = await makeUser(db, await makeSchool(db));
  const aircraft_id = await makeAircraft(db, other.schoolId);
  const photo_id = await makePhoto(db, other);
  for (let nth = 0; nth < PAGE_ROWS + 2; nth += 1) await makeScan(db, other, aircraft_id, { photo_id });
  const as = await cookieOf(db, other);
  const newest = await historyLoader(call(getRequest('/ocr/history', as)));
  const older = await historyLoader(call(getRequest(`/ocr/history${newest.older}`, as)));
  expect(new Set([...newest.scans, ...older.scans].map(({ id }) => id)).size).toBe(PAGE_ROWS + 2);
  expect([newest.newest, older.newest, older.older]).toEqual([null, '/ocr/history', null]);
});

nightly('for a scan in flight the start reading of the flight counts as the last reading (C06)', async () => {
  for (const last_hobbs of [null, '120.0']) {
    const aircraftId = await makeAircraft(db, school, { last_hobbs });
    const log = await makeFlight(db, await makeUser(db, school), aircraftId, { start_hobbs: '1233.4' });
    expect(await scan(aircraftId, '01234')).toMatchObject({ detectedText: '1234', otherText: '123.4' });
    const voided = { voided_at: new Date(), voided_by: student.id, void_reason: 'Fog' };
    await db.updateTable('flight_logs').set(voided).where('id', '=', log).execute();
    expect(await scan(aircraftId, '01234')).toMatchObject({ detectedText: '123.4', otherText: null });
  }
});

nightly('a scan has no other reading where the photo shows the same; other digits are less sure (C06)', async () => {
  const { id } = await scan(await makeAircraft(db, school, { last_hobbs: '123.3' }), '01234');
  expect((await scanLoader(call(getRequest(`/ocr?scan=${id}`, cookie)))).scan).toMatchObject({
    detectedText: '123.4',
    alternative: null,
  });
  const aircraftId = await makeAircraft(db, school);
  const before = await scan(aircraftId, '04935');
  const { photo } = await scan(aircraftId, '004812');
  await makeFlight(db, student, aircraftId, { start_hobbs: '481.2', start_hobbs_photo_id: Number(idOf(photo)) });
  const after = await scan(aircraftId, '04935');
  expect(after.detectedText).toBe(before.detectedText);
  expect(Number(after.confidence)).toBeLessThan(Number(before.confidence));
});

it('the crop of the counter is shown to its school, and to no other (C49)', async () => {
  const { crop } = await scan(await makeAircraft(db, school), '004812');
  const answerTo = (who: string) => photoLoader({ ...call(getRequest(crop, who)), params: { id: idOf(crop) } });
  expect((await answerTo(cookie)).headers.get('content-type')).toBe('image/jpeg');
  expect((await answerTo(foreignCookie)).status).toBe(404);
});
