import { expect, it } from 'vitest';
import { action as analyzeAction } from '#app/routes/api.analyze-image.ts';
import { loader as resultsLoader } from '#app/routes/api.ocr-results.ts';
import { action, loader } from '#app/routes/ocr._index/route.tsx';
import { loader as historyLoader } from '#app/routes/ocr.history/route.tsx';
import { loader as photoLoader } from '#app/routes/photos.$id.ts';
import { answerOf, call, cookieOf, getRequest, jsonRequest, multipartRequest, toastAfter } from '#tests/support/ask.ts';
import { makeAircraft, makeSchool, makeUser, testDatabase } from '#tests/support/makers.ts';
import { nightly } from '#tests/support/takes-all.ts';
import { codedMeter, twoCodedMeters } from '#tests/support/coded-meter.ts';
import { drawBlankPhoto } from '#tests/support/pictures.ts';
import { makePhoto, makeScan } from '#tests/support/scanned-photo.ts';

const { db } = await testDatabase();
const school = await makeSchool(db);
const other = await makeSchool(db);
const student = await makeUser(db, school);
const foreignUser = await makeUser(db, other, 'administrator');
const aircraftId = await makeAircraft(db, school, { tail_number: 'N512FL' });
const foreignId = await makeAircraft(db, other);
const cookie = await cookieOf(db, student);
const foreignCookie = await cookieOf(db, foreignUser);
const picture = await codedMeter('12345');

const good = { imageData: picture.toString('base64'), meterType: 'hobbs', aircraftId };
const analyze = (body: unknown, headers = {}) =>
  analyzeAction(call(jsonRequest('POST', '/api/analyze-image', body, cookie, headers)));

it('POST /api/analyze-image reads a photo and stores photo and reading in the history (B258, B237, C49)', async () => {
  const answer = await analyze(good);
  expect(answer.status).toBe(200);
  const scan = await answer.json();
  expect(scan).toEqual({
    id: expect.any(Number),
    aircraft: { id: aircraftId, tailNumber: 'N512FL', make: 'Cessna', model: '172S' },
    meterType: 'hobbs',
    detectedText: '1234.5',
    confidence: expect.stringMatching(/^(0(\.\d+)?|1(\.0+)?)$/),
    otherText: null,
    otherKind: null,
    figures: [...'12345'].map((figure) => ({ figure, confidence: '0.99', other: null, choices: [] })),
    photo: expect.stringMatching(/^\/photos\/\d+$/),
    crop: expect.stringMatching(/^\/photos\/\d+$/),
    createdAt: expect.stringMatching(/Z$/),
  });
  const results = await (await resultsLoader(call(getRequest('/api/ocr-results', cookie)))).json();
  expect(results[0]).toEqual(scan);
});

nightly('POST /api/analyze-image accepts a frame in fractions of the photo, and nothing else', async () => {
  const frame = { x: 0.25, y: 0.3, width: 0.5, height: 0.4 };
  expect((await analyze({ ...good, frame })).status).toBe(200);
  const text = 'The frame must be fractions of the image, from 0 to 1';
  const wrong = [{ ...frame, x: -0.1 }, { ...frame, width: 1.01 }, { ...frame, y: '0.3' }, { x: 0.1 }];
  for (const other of [...wrong, null, 'all of it']) {
    const answer = await analyze({ ...good, frame: other });
    expect([answer.status, await answer.text()]).toEqual([400, text]);
  }
});

it('a picture of no meter is empty text and not stored; a figure in doubt is named, below High (B677, B1310, C47)', async () => {
  const before = await countScans();
  const answer = await analyze({ ...good, imageData: (await drawBlankPhoto()).toString('base64') });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ detectedText: '', confidence: '0' });
  expect(await countScans()).toBe(before);
  const imageData = (await codedMeter('12343', { rolling: true })).toString('base64');
  const scan = await (await analyze({ ...good, imageData })).json();
  expect(scan).toMatchObject({ detectedText: '1234.3', otherText: null });
  expect(Number(scan.confidence)).toBeLessThan(0.8);
  expect(scan.figures.at(-1)).toEqual({ figure: '3', confidence: '0.59', other: '4', choices: ['3', '4'] });
  expect(scan.figures.slice(0, -1).every(({ other }: { other: unknown }) => other === null)).toBe(true);
});

it('POST /api/analyze-image refuses what is no photo of a meter of the school, in words (B131, B259, B321, C48)', async () => {
  for (const [change, status] of [
    [{ imageData: `data:image/jpeg;base64,${good.imageData}` }, 400],
    [{ imageData: Buffer.from('plain words').toString('base64') }, 400],
    [{ imageData: picture.subarray(0, picture.length / 2).toString('base64') }, 400],
    [{ imageData: undefined }, 400],
    [{ meterType: 'altimeter' }, 400],
    [{ aircraftId: undefined }, 400],
    [{ aircraftId: 'N512FL' }, 400],
    [{ aircraftId: 2_000_000_000 }, 404],
    [{ aircraftId: foreignId }, 404],
  ] as const) {
    const answer = await analyze({ ...good, ...change });
    expect([answer.status, await answer.text()], Object.keys(change)[0]).toEqual([status, expect.stringMatching(/./)]);
  }
  for (const bytes of ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'GIF89a\u0001', '\0\0\0\u0018ftypheic']) {
    const answer = await analyze({ ...good, imageData: Buffer.from(bytes).toString('base64') });
    expect([answer.status, await answer.text()]).toEqual([400, 'Please use a JPEG or PNG photo.']);
  }
});

const post = (fields: Record<string, string | Blob>) => action(call(multipartRequest('/ocr', fields, cookie)));
const jpeg = () => new Blob([new Uint8Array(picture)], { type: 'image/jpeg' });

it('the scan page lists the aircraft of the school, with the one in its URL chosen if listed (B117, B118, B119)', async () => {
  const chosen = async (query: string) => (await loader(call(getRequest(`/ocr${query}`, cookie)))).selectedAircraftId;
  expect(await chosen(`?aircraftId=${aircraftId}`)).toBe(String(aircraftId));
  expect(await chosen(`?aircraftId=${foreignId}`)).toBe('');
  expect(await chosen('?aircraftId=x')).toBe('');
  const page = await loader(call(getRequest('/ocr', cookie)));
  expect(page.aircraftOptions).toEqual([{ value: String(aircraftId), label: 'N512FL · Cessna 172S' }]);
  expect(page.meterTypeOptions).toEqual([
    { value: 'hobbs', label: 'Hobbs Meter' },
    { value: 'tachometer', label: 'Tachometer' },
  ]);
});

it('a scan leads to its result and is first in the history (B123, B294)', async () => {
  const answer = await post({ aircraftId: String(aircraftId), meterType: 'tachometer', image: jpeg() });
  expect(answer).toBeInstanceOf(Response);
  const location = answer instanceof Response ? answer.headers.get('location') : null;
  const toast = { title: 'Success', text: 'Meter reading processed successfully', tone: 'default' };
  expect(await toastAfter(await answerOf(answer))).toMatchObject(toast);
  expect(location).toMatch(new RegExp(`^/ocr\\?aircraftId=${aircraftId}&scan=\\d+$`));
  const page = await loader(call(getRequest(location ?? '', cookie)));
  expect(page.scan).toMatchObject({ detectedText: '1234.5', meterName: 'Tachometer' });
  const { scans } = await historyLoader(call(getRequest('/ocr/history', cookie)));
  expect(scans[0]).toMatchObject({ detectedText: '1234.5', meterName: 'Tachometer' });
});

nightly('the scan page reads the meter in the frame it is sent, and ignores a malformed frame', async () => {
  const two = new Blob([new Uint8Array(await twoCodedMeters('004812', '007396'))]);
  const readIn = async (fields: Record<string, string>) => {
    const answer = await post({ aircraftId: String(aircraftId), meterType: 'hobbs', image: two, ...fields });
    const location = answer instanceof Response ? answer.headers.get('location') : null;
    return (await loader(call(getRequest(location ?? '', cookie)))).scan?.detectedText;
  };
  expect(await readIn({ frame: '0 0 0.5 1' })).toBe('481.2');
  expect(await readIn({ frame: '0.5 0 0.5 1' })).toBe('739.6');
  for (const frame of ['', 'here', '0.1 0.1', '0.5 0 2 1', '{"x":0}']) expect(await readIn({ frame })).toBe('481.2');
});

it('a scan without aircraft or image asks for both; no picture is refused, the rest kept (B122, B124, B131, C72)', async () => {
  const id = String(aircraftId);
  const forms: Record<string, string | Blob>[] = [
    ...[{ aircraftId: '', image: jpeg() }, { aircraftId: id }, { aircraftId: id, image: new Blob([]) }],
  ];
  for (const fields of forms) {
    const answer = await post({ meterType: 'hobbs', ...fields });
    expect(answer).toMatchObject({ init: { status: 400 } });
    expect(JSON.stringify(answer)).toContain('Please select an aircraft and image');
  }
  const image = new Blob(['plain text'], { type: 'image/jpeg' });
  const answer = await post({ aircraftId: String(aircraftId), meterType: 'tachometer', image });
  expect(answer).toMatchObject({
    init: { status: 400 },
    data: {
      result: { initialValue: { aircraftId: String(aircraftId), meterType: 'tachometer' } },
      toast: { title: 'Error', text: 'Please use a JPEG or PNG photo.' },
    },
  });
});

/** Stores a scan that nobody has sent; the id of its photo. */
async function storeScan(confidence: string): Promise<number> {
  const photo_id = await makePhoto(db, student);
  await makeScan(db, student, aircraftId, { photo_id, confidence });
  return photo_id;
}

it('the scan history shows confidence in percent, highlighted only above 0.8 (B125, B126, B127, B128, B129, C65)', async () => {
  for (const confidence of ['0.80', '0.81', '0.856']) await storeScan(confidence);
  const { scans } = await historyLoader(call(getRequest('/ocr/history', cookie)));
  expect(scans.slice(0, 3).map(({ percent, highlighted }) => [percent, highlighted])).toEqual([
    ['86%', true],
    ['81%', true],
    ['80%', false],
  ]);
  expect(scans[0]).toMatchObject({ aircraft: { tailNumber: 'N512FL', make: 'Cessna' }, meterName: 'Hobbs Meter' });
  expect(scans[0]?.at.text).toMatch(/\d{1,2} \w{3} \d{4}, \d\d:\d\d UTC/);
});

it('another school sees neither a scan nor its photo (B260, B321)', async () => {
  const id = await storeScan('0.9');
  const results = await resultsLoader(call(getRequest('/api/ocr-results', foreignCookie)));
  expect(await results.json()).toEqual([]);
  const photo = (who: string) => photoLoader(call(getRequest(`/photos/${id}`, who), { id: String(id) }));
  expect((await photo(foreignCookie)).status).toBe(404);
  expect((await photo('')).status).toBe(401);
  const own = await photo(cookie);
  expect([own.status, own.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
});

async function countScans(): Promise<number> {
  return (await db.selectFrom('scans').select('id').execute()).length;
}
