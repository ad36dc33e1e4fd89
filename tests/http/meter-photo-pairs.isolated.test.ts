import sharp from 'sharp';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { findDraft } from '#app/domain/drafts.server.ts';
import { checkInDraftKey } from '#app/domain/flights/record-end.server.ts';
import { toastAfter } from '#tests/support/answers.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makePhoto, makeScan } from '#tests/support/scanned-photo.ts';
import { cookieOf, getRequest, jsonRequest } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const reader = vi.hoisted(() => ({ confidence: 0.9 }));
// What is read is not the subject here, but where it goes.
vi.mock(import('#app/domain/meters/read-meter.server.ts'), () => ({
  readMeter: async (_photo: Buffer, { meterType }: { meterType: string }) => ({
    detectedText: meterType === 'hobbs' ? '111.1' : '222.2',
    ...reader,
  }),
}));

const { db } = await testDatabase();
const picture = (background: string) =>
  sharp({ create: { width: 40, height: 30, channels: 3, background } })
    .jpeg()
    .toBuffer();
const pictures = { hobbs: await picture('#c00'), tach: await picture('#00c') };

let pilot: Member, cookie: string, aircraftId: number;
beforeEach(async () => {
  pilot = await makeUser(db, await makeSchool(db));
  cookie = await cookieOf(db, pilot);
  aircraftId = await makeAircraft(db, pilot.schoolId);
});

const get = async (path: string) => (await answerTo(getRequest(path, cookie))).body;
const send = async (path: string, body: object) => (await answerTo(jsonRequest('POST', path, body, cookie))).body;
const start = async (more: object = {}) => {
  const body = await send('/api/flight-logs', { aircraftId, startHobbsTime: '100.0', startTachTime: '90.0', ...more });
  const { id }: { id: number } = JSON.parse(String(body));
  return id;
};

/** Sends a form with a photo of each meter, and asks to read one of them. */
async function read(path: string, when: 'start' | 'end', meter: 'hobbs' | 'tach') {
  const form = new FormData();
  form.set('aircraftId', String(aircraftId));
  form.set('intent', `read-${meter}`);
  for (const [name, field] of [
    ['hobbs', 'Hobbs'],
    ['tach', 'Tach'],
  ] as const) {
    form.set(`${when}${field}Time`, '');
    form.set(`${when}${field}Photo`, new File([new Uint8Array(pictures[name])], `${name}.jpg`));
  }
  const headers = { cookie, origin: 'http://localhost:3000' };
  return answerTo(new Request(`http://localhost:3000${path}`, { method: 'POST', headers, body: form }));
}

/** Which of the two pictures a stored photo is, by its colour. */
async function pictureOf(photoId: number): Promise<'hobbs' | 'tach'> {
  const { content } = await db
    .selectFrom('photos')
    .select('content')
    .where('id', '=', photoId)
    .executeTakeFirstOrThrow();
  const { channels } = await sharp(content).stats();
  return (channels[0]?.mean ?? 0) > (channels[2]?.mean ?? 0) ? 'hobbs' : 'tach';
}

const METERS = [
  ['hobbs', 'hobbs', '111.1'],
  ['tach', 'tachometer', '222.2'],
] as const;

it.each(METERS)(
  'step 2 reads the photo of the %s meter as a %s, into its own field (B148, B308)',
  async (meter, type, text) => {
    const answer = await read('/flight-log?step=1', 'start', meter);
    expect(answer.headers.get('location')).toBe(`/flight-log?step=1&read=${meter}`);
    const [scan, ...others] = await db.selectFrom('scans').selectAll().where('user_id', '=', pilot.id).execute();
    expect([scan?.meter_type, await pictureOf(scan?.photo_id ?? 0), others]).toEqual([type, meter, []]);
    const filled = { startHobbsTime: meter === 'hobbs' ? text : '', startTachTime: meter === 'tach' ? text : '' };
    expect(await get('/flight-log?step=1')).toMatchObject({
      view: { checkOutDraft: filled, scans: { [meter]: { id: scan?.id } } },
    });
  },
);

it.each(METERS)(
  'the check-in reads the photo of the %s meter as a %s, into its own field (B192, B308)',
  async (meter, type, text) => {
    const id = await start();
    await read(`/flight-log/${id}/post-check`, 'end', meter);
    const [scan] = await db.selectFrom('scans').selectAll().where('user_id', '=', pilot.id).execute();
    expect([scan?.meter_type, await pictureOf(scan?.photo_id ?? 0)]).toEqual([type, meter]);
    const filled = { endHobbsTime: meter === 'hobbs' ? text : '', endTachTime: meter === 'tach' ? text : '' };
    expect(await get(`/flight-log/${id}/post-check`)).toMatchObject({ scans: { [meter]: { id: scan?.id } } });
    expect((await findDraft(db, pilot.id, checkInDraftKey(id))).values).toMatchObject(filled);
  },
);

it.each([
  [0.7999, 'destructive', 'Medium'],
  [0.8, 'default', 'High'],
  [0.49, 'destructive', 'Low'],
])(
  'a reading with a confidence of %f makes a toast that is %s and says %s (B170, B171, B310)',
  async (confidence, tone, word) => {
    reader.confidence = confidence;
    const toast = await toastAfter(await read('/flight-log?step=1', 'start', 'hobbs'));
    expect(toast).toMatchObject({ title: 'Reading Detected', text: `111.1 · Confidence: ${word}`, tone });
  },
);

async function scan(meter_type: 'hobbs' | 'tachometer', aircraft_id = aircraftId) {
  const photo_id = await makePhoto(db, pilot);
  return { id: await makeScan(db, pilot, aircraft_id, { photo_id, meter_type }), path: `/photos/${photo_id}` };
}

it('each photo stands with the reading that it was taken of, in the call and in the details (B234, C49)', async () => {
  const [startHobbs, startTach, endHobbs, endTach] = [
    await scan('hobbs'),
    await scan('tachometer'),
    await scan('hobbs'),
    await scan('tachometer'),
  ];
  const id = await start({ startHobbsScan: startHobbs.id, startTachScan: startTach.id });
  const readings = { endHobbsTime: '101.2', endTachTime: '91.0' };
  await send(`/api/flight-logs/${id}/complete`, { ...readings, endHobbsScan: endHobbs.id, endTachScan: endTach.id });
  expect(JSON.parse(String(await get(`/api/flight-logs/${id}`)))).toMatchObject({
    meterPhotos: {
      startHobbs: startHobbs.path,
      startTach: startTach.path,
      endHobbs: endHobbs.path,
      endTach: endTach.path,
    },
  });
  expect(await get(`/flight-logs?log=${id}`)).toMatchObject({
    flight: {
      details: {
        hobbs: { startPhoto: startHobbs.path, endPhoto: endHobbs.path },
        tach: { startPhoto: startTach.path, endPhoto: endTach.path },
      },
    },
  });
});

it('a scan of another meter or aircraft is kept with no reading, neither at the start nor at the end (B321, C49)', async () => {
  const other = await makeAircraft(db, pilot.schoolId);
  const [hobbs, elsewhere] = [await scan('hobbs'), await scan('hobbs', other)];
  const id = await start({ startHobbsScan: elsewhere.id, startTachScan: hobbs.id });
  const readings = { endHobbsTime: '101.2', endTachTime: '91.0' };
  await send(`/api/flight-logs/${id}/complete`, { ...readings, endHobbsScan: elsewhere.id, endTachScan: hobbs.id });
  expect(JSON.parse(String(await get(`/api/flight-logs/${id}`)))).toMatchObject({
    meterPhotos: { startHobbs: null, startTach: null, endHobbs: null, endTach: null },
  });
});
