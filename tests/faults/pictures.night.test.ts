import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { TOO_LARGE, UNREADABLE } from '#tests/support/hostile-pictures.ts';
import { blackPng, BLURRED, EMPTY, GOOD, type Picture, READABLE } from '#tests/support/odd-pictures.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeAircraft, makeSchool, makeUser, PASSWORD } from '#tests/support/school.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const REFUSALS = {
  missing: [400, 'Please select an aircraft and image'],
  unreadable: [400, 'Please use a JPEG or PNG photo.'],
  tooLarge: [413, 'Image too large. Please try again with less detail or in better lighting.'],
};
// Costly pictures take their time on a machine under load.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let server: TestServer;
let cookie: string;
let aircraftId: number;
let upright: { reading: string; pixels: Buffer };
beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'error' });
  const schoolId = await makeSchool(server.db);
  aircraftId = await makeAircraft(server.db, schoolId);
  cookie = await cookieOf(server.db, await makeUser(server.db, schoolId));
  await inPairs([...Array.from({ length: 20 }, () => GOOD), BLURRED, BLURRED], analyze);
  const { scan } = await analyze(GOOD);
  upright = { reading: scan.detectedText, pixels: await pixelsOf(scan.photo) };
});
afterAll(() => server.stop());

afterEach(() => {
  expect(
    server
      .output()
      .split('\n')
      .filter((line) => !/^(\[remix-serve\] .*|\{"level":30,.*"msg":"request"\}|.*,"heads":.*|)$/.test(line)),
  ).toEqual([]);
});

describe('hostile pictures, without a line in the log', () => {
  it.each(READABLE)(
    '%s of a meter is read like any other, and stored upright (C48, C49, B311)',
    async (_name, make) => {
      const { status, scan } = await analyze(await make());
      expect([status, scan.detectedText]).toEqual([200, upright.reading]);
      expect(likenessOf(await pixelsOf(scan.photo), upright.pixels)).toBeGreaterThan(0.97);
    },
  );

  it.each(EMPTY)('in a picture of %s nothing is detected (C47)', async (_name, make) => {
    const { status, scan } = await analyze(await make());
    expect([status, scan.detectedText, scan.confidence]).toEqual([200, '', '0']);
  });

  it.each(UNREADABLE)('%s is refused as unreadable (B259, B131, C48)', (_name, make) =>
    expectRefused(make, REFUSALS.unreadable),
  );

  it.each(TOO_LARGE)('%s is refused as too large, before it is decoded (B259, C48)', (_name, make) =>
    expectRefused(make, REFUSALS.tooLarge),
  );

  it('an image of no bytes is refused as missing (B259)', () => expectRefused(() => Buffer.alloc(0), REFUSALS.missing));
});

it('while three costly pictures are decoded, people sign in (C37)', async () => {
  const costly = blackPng(5700, 4300);
  let areDecoded = false;
  const decoding = Promise.all([1, 2, 3].map(() => analyze(costly))).finally(() => (areDecoded = true));
  const { username } = await makeUser(server.db, await makeSchool(server.db));
  const body = JSON.stringify({ username, password: PASSWORD });
  const headers = { 'content-type': 'application/json' };
  let signedIn = 0;
  while (!areDecoded) {
    expect((await fetch(`${server.url}/api/login`, { method: 'POST', headers, body })).status).toBe(200);
    signedIn += areDecoded ? 0 : 1;
  }
  expect((await decoding).map(({ status }) => status)).toEqual([200, 200, 200]);
  // Were all the threads that hash passwords decoding, each sign-in would have waited for a picture.
  expect(signedIn).toBeGreaterThan(4);
});

interface Analysis {
  status: number;
  message: string;
  /** Empty unless the status is 200. */
  scan: { detectedText: string; confidence: string; photo: string };
}

async function analyze(picture: Buffer): Promise<Analysis> {
  const answer = await fetch(`${server.url}/api/analyze-image`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ imageData: picture.toString('base64'), meterType: 'hobbs', aircraftId }),
  });
  const message = await answer.text();
  return { status: answer.status, message, scan: answer.ok ? JSON.parse(message) : {} };
}

async function expectRefused(make: Picture[1], message: (number | string)[]): Promise<void> {
  const answer = await analyze(await make());
  expect([answer.status, answer.message]).toEqual(message);
}

async function inPairs<In, Out>(all: In[], work: (one: In) => Promise<Out>): Promise<Out[]> {
  const left = all.values();
  const done: Out[] = [];
  const take = async () => {
    for (const one of left) done.push(await work(one));
  };
  await Promise.all([take(), take()]);
  return done;
}

/** A photo as it is kept, in few pixels: how it lies and what it shows. */
async function pixelsOf(photo: string): Promise<Buffer> {
  const answer = await fetch(server.url + photo, { headers: { cookie } });
  const kept = sharp(Buffer.from(await answer.arrayBuffer()));
  expect(await kept.metadata()).toMatchObject({ format: 'jpeg', width: 800, space: 'srgb' });
  return kept.resize(80, 60, { fit: 'fill' }).grayscale().raw().toBuffer();
}

/** 1 for the same picture, brighter or darker; mirrored or turned, this one comes to 0.9 at most. */
function likenessOf(one: Buffer, other: Buffer): number {
  const [a, b] = [centred(one), centred(other)];
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

function centred(pixels: Buffer): number[] {
  const mean = pixels.reduce((sum, value) => sum + value, 0) / pixels.length;
  return Array.from(pixels, (value) => value - mean);
}

function dot(a: number[], b: number[]): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}
