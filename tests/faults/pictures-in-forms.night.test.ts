import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeFlight } from '#tests/support/flight.ts';
import { TOO_LARGE, UNREADABLE } from '#tests/support/hostile-pictures.ts';
import { blackPng, type Picture } from '#tests/support/odd-pictures.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeAircraft, makeSchool, makeUser, PASSWORD } from '#tests/support/school.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const UNREADABLE_WORDS = 'Please use a JPEG or PNG photo.';
const TOO_LARGE_WORDS = 'Image too large. Please try again with less detail or in better lighting.';

const named = (pictures: Picture[], ...names: string[]) => pictures.filter(([name]) => names.includes(name));
const WORST = [
  ...named(
    UNREADABLE,
    'an SVG',
    'half a JPEG',
    'a HEIC',
    'a JPEG that sends its last scan 5,000 times more',
    'a PNG without a picture',
  ).map(([name, make]) => [name, make, 400, UNREADABLE_WORDS] as const),
  ...named(
    TOO_LARGE,
    'a JPEG 65,500 pixels wide',
    'a PNG of 30,000 pixels by as many',
    'an HDR photo in scans of 48 megapixels',
  ).map(([name, make]) => [name, make, 413, TOO_LARGE_WORDS] as const),
];

let server: TestServer;
let schoolId: number;
let pilot: Awaited<ReturnType<typeof makeUser>>;
let cookie: string;
let aircraftId: number;
beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'error' });
  schoolId = await makeSchool(server.db);
});
beforeEach(async () => {
  pilot = await makeUser(server.db, schoolId);
  cookie = await cookieOf(server.db, pilot);
  aircraftId = await makeAircraft(server.db, schoolId, { tail_number: `N${pilot.id}` });
});
afterAll(() => server.stop());

describe.each(WORST)('%s, sent by a form without script (C48)', (name, make, status, message) => {
  it(`${name} is refused on the scan page (B131)`, async () => {
    const page = await send('/ocr?index', {
      aircraftId: String(aircraftId),
      meterType: 'tachometer',
      image: await make(),
    });
    expect([page.status, page.text]).toEqual([status, expect.stringContaining(message)]);
    expect(page.chosen('aircraftId')).toBe(String(aircraftId));
    expect(page.ticked('meterType')).toBe('tachometer');
  });

  it(`${name} is refused at check-out (B131, B148)`, async () => {
    await send('/flight-log?index&step=0', { aircraftId: String(aircraftId) });
    const typed = { aircraftId: String(aircraftId), startHobbsTime: '', startTachTime: '98x' };
    const page = await send('/flight-log?index&step=1', {
      ...typed,
      intent: 'read-hobbs',
      startHobbsPhoto: await make(),
    });
    expect([page.status, page.text]).toEqual([status, expect.stringContaining(message)]);
    expect(page.typed('startTachTime')).toBe('98x');
  });

  it(`${name} is refused at check-in (B131, B192)`, async () => {
    const id = await makeFlight(server.db, pilot, aircraftId);
    const typed = { endHobbsTime: '', endTachTime: '9x', fuelNotes: 'Topped off' };
    const page = await send(`/flight-log/${id}/post-check`, {
      ...typed,
      intent: 'read-hobbs',
      endHobbsPhoto: await make(),
    });
    expect([page.status, page.text]).toEqual([status, expect.stringContaining(message)]);
    expect([page.typed('endTachTime'), page.text]).toEqual(['9x', expect.stringContaining('Topped off')]);
  });

  it(`${name} is refused as a fuel receipt, and the flight stays open (C54)`, async () => {
    const id = await makeFlight(server.db, pilot, aircraftId);
    const typed = {
      endHobbsTime: '101.2',
      endTachTime: '91.0',
      refueled: 'on',
      fuelNotes: 'Topped off',
      notes: 'Flat tyre',
    };
    const page = await send(`/flight-log/${id}/post-check`, { ...typed, fuelReceiptImage: await make() });
    expect([page.status, page.text]).toEqual([status, expect.stringContaining(message)]);
    expect([page.typed('endHobbsTime'), page.typed('endTachTime')]).toEqual(['101.2', '91.0']);
    expect(page.text).toContain('Topped off');
    expect(page.text).toContain('Flat tyre');
    const flight = server.db.selectFrom('flight_logs').select('completed_at').where('id', '=', id);
    expect(await flight.executeTakeFirstOrThrow()).toEqual({ completed_at: null });
  });

  it(`${name} is refused as the fuel receipt of an API call (C54)`, async () => {
    const id = await makeFlight(server.db, pilot, aircraftId);
    const record = { refueled: true, fuelReceiptImage: (await make()).toString('base64') };
    const answer = await call(`/api/flight-logs/${id}/complete`, {
      endHobbsTime: '101.2',
      endTachTime: '91.0',
      fuelRecords: [record],
    });
    expect([answer.status, await answer.text()]).toEqual([status, message]);
  });
});

it('while three costly pictures are decoded, people sign in (C37)', async () => {
  const picture = { imageData: blackPng(5700, 4300).toString('base64'), meterType: 'hobbs', aircraftId };
  let areDecoded = false;
  const decoding = Promise.all([1, 2, 3].map(() => call('/api/analyze-image', picture))).finally(
    () => (areDecoded = true),
  );
  let signedIn = 0;
  while (!areDecoded) {
    // Without the cookie: a sign-in ends the session that it comes with.
    const body = JSON.stringify({ username: pilot.username, password: PASSWORD });
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(`${server.url}/api/login`, { method: 'POST', headers, body })).status).toBe(200);
    signedIn += areDecoded ? 0 : 1;
  }
  expect((await decoding).map(({ status }) => status)).toEqual([200, 200, 200]);
  // Were all the threads that hash passwords decoding, each sign-in would have waited for a picture.
  expect(signedIn).toBeGreaterThan(4);
}, 300_000);

function call(path: string, body: object): Promise<Response> {
  const headers = { cookie, 'content-type': 'application/json' };
  return fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** A form as a browser posts it, its pictures as files; the page that comes back, with the values of its fields. */
async function send(path: string, fields: Record<string, string | Buffer>) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    body.append(
      name,
      typeof value === 'string' ? value : new File([new Uint8Array(value)], 'meter.jpg', { type: 'image/jpeg' }),
    );
  }
  const answer = await fetch(server.url + path, {
    method: 'POST',
    headers: { cookie, origin: server.url },
    body,
    redirect: 'manual',
  });
  const text = await answer.text();
  const tags = (tag: string, name: string) => text.match(new RegExp(`<${tag}\\b[^>]*name="${name}"[^>]*>`, 'g')) ?? [];
  const valueIn = (tag: string | undefined) => tag && /\bvalue="([^"]*)"/.exec(tag)?.[1];
  return {
    status: answer.status,
    text,
    typed: (name: string) => valueIn(tags('input', name)[0]),
    ticked: (name: string) => valueIn(tags('input', name).find((tag) => /\bchecked\b/.test(tag))),
    chosen: (name: string) => {
      const select = new RegExp(`<select\\b[^>]*name="${name}"[^]*?</select>`).exec(text)?.[0];
      return valueIn(select && /<option\b[^>]*\bselected\b[^>]*>/.exec(select)?.[0]);
    },
  };
}
