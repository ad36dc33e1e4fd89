import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeFlight } from '#tests/support/flight.ts';
import { TOO_LARGE, UNREADABLE } from '#tests/support/hostile-pictures.ts';
import { blackPng } from '#tests/support/odd-pictures.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeAircraft, makeSchool, makeUser, PASSWORD } from '#tests/support/school.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const UNREADABLE_WORDS = 'Please use a JPEG or PNG photo.';
const TOO_LARGE_WORDS = 'Image too large. Please try again with less detail or in better lighting.';

/** tests/faults/pictures.night.test.ts sends more of them, by call. */
const WORST = [
  ...UNREADABLE.filter(([name]) => ['an SVG', 'half a JPEG'].includes(name)).map(
    ([name, make]) => [name, make, 400, UNREADABLE_WORDS] as const,
  ),
  ...TOO_LARGE.filter(([name]) => name === 'a PNG of 30,000 pixels by as many').map(
    ([name, make]) => [name, make, 413, TOO_LARGE_WORDS] as const,
  ),
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

it.each(WORST)(
  '%s is refused by each form without script, and what was typed stays (B131, B148, B192, C48, C54)',
  async (...picture) => {
    const [, make, status, message] = picture;
    const refused = [status, expect.stringContaining(message)];
    const aircraft = String(aircraftId);
    const scan = await send('/ocr?index', { aircraftId: aircraft, meterType: 'tachometer', image: await make() });
    expect([scan.status, scan.text]).toEqual(refused);
    expect([scan.chosen('aircraftId'), scan.ticked('meterType')]).toEqual([aircraft, 'tachometer']);

    await send('/flight-log?index&step=0', { aircraftId: aircraft });
    const start = { aircraftId: aircraft, startHobbsTime: '', startTachTime: '98x', intent: 'read-hobbs' };
    const checkOut = await send('/flight-log?index&step=1', { ...start, startHobbsPhoto: await make() });
    expect([checkOut.status, checkOut.text]).toEqual(refused);
    expect(checkOut.typed('startTachTime')).toBe('98x');

    const id = await makeFlight(server.db, pilot, aircraftId);
    const notes = { fuelNotes: 'Topped off', notes: 'Flat tyre', refueled: 'on' };
    const reading = { endHobbsTime: '', endTachTime: '9x', intent: 'read-hobbs' };
    const receipt = { endHobbsTime: '101.2', endTachTime: '91.0', fuelReceiptImage: await make() };
    for (const fields of [{ ...reading, endHobbsPhoto: await make() }, receipt]) {
      const checkIn = await send(`/flight-log/${id}/post-check`, { ...notes, ...fields });
      expect([checkIn.status, checkIn.text]).toEqual(refused);
      expect(checkIn.typed('endTachTime')).toBe(fields.endTachTime);
      for (const text of ['Topped off', 'Flat tyre']) expect(checkIn.text).toContain(text);
    }
    const record = { refueled: true, fuelReceiptImage: (await make()).toString('base64') };
    const end = { endHobbsTime: '101.2', endTachTime: '91.0', fuelRecords: [record] };
    const answer = await call(`/api/flight-logs/${id}/complete`, end);
    expect([answer.status, await answer.text()]).toEqual([status, message]);
    const flight = server.db.selectFrom('flight_logs').select('completed_at').where('id', '=', id);
    expect(await flight.executeTakeFirstOrThrow()).toEqual({ completed_at: null });
  },
);

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
