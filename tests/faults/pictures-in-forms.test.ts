import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeFlight } from '#tests/support/flight.ts';
import { TOO_LARGE, UNREADABLE } from '#tests/support/hostile-pictures.ts';
import { black, type Picture } from '#tests/support/odd-pictures.ts';
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

describe.each(WORST)('C48: %s', (name, make, status, words) => {
  it(`B131 C48: ${name}, sent to be scanned, is refused in words beside what was chosen`, async () => {
    const page = await send('/ocr?index', {
      aircraftId: String(aircraftId),
      meterType: 'tachometer',
      image: await make(),
    });
    expect([page.status, page.text]).toEqual([status, expect.stringContaining(words)]);
    expect(page.chosen('aircraftId')).toBe(String(aircraftId));
    expect(page.ticked('meterType')).toBe('tachometer');
  });

  it(`B131 B148 C48: ${name}, sent at check-out, is refused in words beside what was typed`, async () => {
    await send('/flight-log?index&step=0', { aircraftId: String(aircraftId) });
    const typed = { aircraftId: String(aircraftId), startHobbsTime: '', startTachTime: '98x' };
    const page = await send('/flight-log?index&step=1', {
      ...typed,
      intent: 'read-hobbs',
      startHobbsPhoto: await make(),
    });
    expect([page.status, page.text]).toEqual([status, expect.stringContaining(words)]);
    expect(page.typed('startTachTime')).toBe('98x');
  });

  it(`B131 B192 C48: ${name}, sent at check-in, is refused in words beside what was typed`, async () => {
    const id = await makeFlight(server.db, pilot, aircraftId);
    const typed = { endHobbsTime: '', endTachTime: '9x', fuelNotes: 'Topped off' };
    const page = await send(`/flight-log/${id}/post-check`, {
      ...typed,
      intent: 'read-hobbs',
      endHobbsPhoto: await make(),
    });
    expect([page.status, page.text]).toEqual([status, expect.stringContaining(words)]);
    expect([page.typed('endTachTime'), page.text]).toEqual(['9x', expect.stringContaining('Topped off')]);
  });

  it(`C48 C54: ${name}, sent as a receipt, is refused in words, and the flight stays open`, async () => {
    const id = await makeFlight(server.db, pilot, aircraftId);
    const typed = {
      endHobbsTime: '101.2',
      endTachTime: '91.0',
      refueled: 'on',
      fuelNotes: 'Topped off',
      notes: 'Flat tyre',
    };
    const page = await send(`/flight-log/${id}/post-check`, { ...typed, fuelReceiptImage: await make() });
    expect([page.status, page.text]).toEqual([status, expect.stringContaining(words)]);
    expect([page.typed('endHobbsTime'), page.typed('endTachTime')]).toEqual(['101.2', '91.0']);
    expect(page.text).toContain('Topped off');
    expect(page.text).toContain('Flat tyre');
    const flight = server.db.selectFrom('flight_logs').select('completed_at').where('id', '=', id);
    expect(await flight.executeTakeFirstOrThrow()).toEqual({ completed_at: null });
  });

  it(`C48 C54: ${name}, sent as the receipt of a call, is refused in words`, async () => {
    const id = await makeFlight(server.db, pilot, aircraftId);
    const record = { refueled: true, fuelReceiptImage: (await make()).toString('base64') };
    const answer = await call(`/api/flight-logs/${id}/complete`, {
      endHobbsTime: '101.2',
      endTachTime: '91.0',
      fuelRecords: [record],
    });
    expect([answer.status, await answer.text()]).toEqual([status, words]);
  });
});

it('C37: while four costly pictures are decoded, people sign in', async () => {
  const picture = { imageData: black(8100, 6050).toString('base64'), meterType: 'hobbs', aircraftId };
  const began = performance.now();
  let firstTook = 0;
  const decoding = [1, 2, 3, 4].map(async () => {
    const { status } = await call('/api/analyze-image', picture);
    firstTook ||= performance.now() - began;
    return status;
  });
  let slowest = 0;
  while (firstTook === 0) {
    const asked = performance.now();
    expect((await call('/api/login', { username: pilot.username, password: PASSWORD })).status).toBe(200);
    slowest = Math.max(slowest, performance.now() - asked);
  }
  // Were all the threads that hash passwords decoding, one would have waited for a picture.
  expect(slowest).toBeLessThan(firstTook / 2);
  expect(await Promise.all(decoding)).toEqual([200, 200, 200, 200]);
});

function call(path: string, body: object): Promise<Response> {
  const headers = { cookie, 'content-type': 'application/json' };
  return fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** A form as a browser posts it, its pictures as files; the page that comes back, with what its fields hold. */
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
