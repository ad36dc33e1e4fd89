import { beforeAll, expect, it } from 'vitest';
import { makeAircraft, makeFlight, makeSchool, makeUser, type Member, testDatabase } from '#tests/support/makers.ts';
import { answerTo, cookieOf, formRequest, multipartRequest, ORIGIN } from '#tests/support/ask.ts';
import { nightly } from '#tests/support/takes-all.ts';
import { findDraft } from '#app/domain/drafts.server.ts';

const { db } = await testDatabase();

const KIB = 1024;
const MIB = 1024 * KIB;
const URLENCODED = 'application/x-www-form-urlencoded';
const TOO_LARGE = 'This is too large to be sent.';
const IMAGE_TOO_LARGE = 'Image too large. Please try again with less detail or in better lighting.';

let pilot: Member, cookie: string, aircraftId: number, flightId: number;
beforeAll(async () => {
  pilot = await makeUser(db, await makeSchool(db));
  cookie = await cookieOf(db, pilot);
  aircraftId = await makeAircraft(db, pilot.schoolId);
  flightId = await makeFlight(db, pilot, aircraftId);
});

function send(path: string, type: string, body: BodyInit) {
  const headers = { cookie, origin: ORIGIN, 'content-type': type };
  return answerTo(new Request(ORIGIN + path, { method: 'POST', headers, body }));
}

const sendForm = (path: string, fields: Record<string, string | File>) =>
  answerTo(multipartRequest(path, fields, cookie));

/** A JSON body of exactly so many bytes: `fields`, and one more to fill it up. */
function json(bytes: number, fields: object = {}): string {
  const empty = JSON.stringify({ ...fields, filler: '' });
  return empty.replace(/"filler":""/, `"filler":"${'a'.repeat(bytes - empty.length)}"`);
}

/** A multipart body of exactly so many bytes: one file of nothing but a JPEG's beginning and zeros. */
function multipart(bytes: number, file: string): Blob {
  const head = `--b\r\nContent-Disposition: form-data; name="${file}"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`;
  const tail = '\r\n--b--';
  const photo = new Uint8Array(bytes - head.length - tail.length);
  photo.set([0xff, 0xd8, 0xff]);
  return new Blob([head, photo, tail]);
}

it('a form and a call without photos have at most 256 KiB (B239)', async () => {
  const fill = (bytes: number) => send('/login', URLENCODED, `username=${'a'.repeat(bytes - 9)}`);
  expect((await fill(256 * KIB)).status).toBe(400);
  expect(await fill(256 * KIB + 1)).toMatchObject({ status: 413, body: TOO_LARGE });
  const status = async (bytes: number) => (await send('/api/login', 'application/json', json(bytes))).status;
  expect([await status(256 * KIB), await status(256 * KIB + 1)]).toEqual([400, 413]);
});

nightly('a check-in has 12 MiB by call; by form three photos of 20 MiB, 256 KiB more (B267, C48, C54)', async () => {
  const complete = (bytes: number) => send(`/api/flight-logs/${flightId}/complete`, 'application/json', json(bytes));
  expect((await complete(12 * MIB)).status).toBe(400);
  expect(await complete(12 * MIB + 1)).toMatchObject({ status: 413, body: TOO_LARGE });
  const photo = Buffer.alloc(20 * MIB);
  const photos = ['endHobbsPhoto', 'endTachPhoto', 'fuelReceiptImage'].map((name) => [
    name,
    new File([photo], 'a.jpg'),
  ]);
  const fields = { endHobbsTime: '1', endTachTime: '1', ...Object.fromEntries(photos) };
  const checkIn = (notes: string) => sendForm(`/flight-log/${flightId}/post-check`, { ...fields, notes });
  expect((await checkIn('')).status).toBe(400);
  expect(await checkIn('x'.repeat(256 * KIB))).toMatchObject({ status: 413, body: TOO_LARGE });
});

nightly('a photo has 10 MiB of base64 in a call, 20 MiB on the scan screen (B131, B259, B311, C48)', async () => {
  const analyze = (body: string) => send('/api/analyze-image', 'application/json', body);
  const target = { aircraftId, meterType: 'hobbs' };
  const withImage = (length: number) => analyze(JSON.stringify({ ...target, imageData: 'A'.repeat(length) }));
  for (const length of [10 * MIB - 4, 10 * MIB]) {
    expect(await withImage(length)).toMatchObject({ status: 400, body: 'Please use a JPEG or PNG photo.' });
  }
  expect(await withImage(10 * MIB + 1)).toMatchObject({ status: 413, body: IMAGE_TOO_LARGE });
  expect((await analyze(json(12 * MIB, { ...target, imageData: 'AAAA' }))).status).toBe(400);
  expect(await analyze(json(12 * MIB + 1, { ...target, imageData: 'AAAA' }))).toMatchObject({
    status: 413,
    body: IMAGE_TOO_LARGE,
  });
  const scan = (bytes: number) => send('/ocr', 'multipart/form-data; boundary=b', multipart(bytes, 'image'));
  expect((await scan(20 * MIB + 64 * KIB)).status).toBe(400);
  expect(await scan(20 * MIB + 64 * KIB + 1)).toMatchObject({ status: 413, body: TOO_LARGE });
  for (const [bytes, status, text] of [
    [20 * MIB, 400, 'Please use a JPEG or PNG photo.'],
    [20 * MIB + 1, 413, IMAGE_TOO_LARGE],
  ] as const) {
    const image = Buffer.alloc(bytes);
    image.set([0xff, 0xd8, 0xff]);
    const answer = await sendForm('/ocr', {
      ...{ aircraftId: String(aircraftId), meterType: 'hobbs' },
      image: new File([image], 'meter.jpg'),
    });
    expect(answer).toMatchObject({ status, body: { toast: { text } } });
  }
});

it('a form may have field names of 64 letters, three levels and an index below 100, and none beyond (B239)', async () => {
  const answered = async (name: string) => (await answerTo(formRequest('/login', { [name]: '1' }))).body;
  const refused = 'The form has fields that do not belong to it.';
  for (const [taken, beyond] of [
    ['x'.repeat(64), 'x'.repeat(65)],
    ['x[99]', 'x[100]'],
    ['x[0].y[1]', 'x[0].y[1].z[2]'],
    [`x.${'y'.repeat(64)}`, `x.${'y'.repeat(65)}`],
    ['x1', '1x'],
  ] as const) {
    expect(await answered(taken), taken).not.toBe(refused);
    expect(await answered(beyond), beyond).toBe(refused);
  }
});

it('what is kept of a form that is not finished has at most 20,000 characters a field (C56)', async () => {
  for (const [form, field] of [
    [`/flight-log/${flightId}/post-check#check-in`, 'notes'],
    ['/account/name#name', 'name'],
  ] as const)
    for (const length of [20_000, 20_001]) {
      const kept = await answerTo(formRequest('/drafts', { typedForm: form, [field]: 'x'.repeat(length) }, cookie));
      expect(kept.status).toBe(200);
      expect((await findDraft(db, pilot.id, form)).values?.[field]).toBe('x'.repeat(20_000));
    }
});
