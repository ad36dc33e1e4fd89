import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMPTY, GOOD, type Picture, READABLE, SPOILABLE } from '#tests/support/odd-pictures.ts';
import { TOO_LARGE, UNREADABLE } from '#tests/support/hostile-pictures.ts';
import { memoryOf, TOLD_BY_SYSTEM } from '#tests/support/memory.ts';
import { mutants } from '#tests/support/mutants.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const MUTANTS = 300;
const GROWTH_AT_MOST = 150;
const WORDS = {
  missing: [400, 'Please select an aircraft and image'],
  unreadable: [400, 'Please use a JPEG or PNG photo.'],
  tooLarge: [413, 'Image too large. Please try again with less detail or in better lighting.'],
};

let server: TestServer;
let cookie: string;
let aircraftId: number;
let upright: { reading: string; pixels: Buffer };
let before: number;
beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'error' });
  const schoolId = await makeSchool(server.db);
  aircraftId = await makeAircraft(server.db, schoolId);
  cookie = await cookieOf(server.db, await makeUser(server.db, schoolId));
  await inPairs(
    Array.from({ length: 20 }, () => GOOD),
    analyze,
  );
  const scan = (await analyze(GOOD)).scan;
  upright = { reading: scan.detectedText, pixels: await pixelsOf(scan.photo) };
  if (TOLD_BY_SYSTEM) before = memoryOf(server.pid).now;
});
afterAll(() => server.stop());

describe('a picture of a meter', () => {
  it.each(READABLE)('C48 C49 B311: %s is read like any other, and kept upright', async (_name, make) => {
    const { status, scan } = await analyze(await make());
    expect([status, scan.detectedText]).toEqual([200, upright.reading]);
    expect(likenessOf(await pixelsOf(scan.photo), upright.pixels)).toBeGreaterThan(0.97);
  });

  it.each(EMPTY)('C47: in %s nothing is detected', async (_name, make) => {
    const { status, scan } = await analyze(await make());
    expect([status, scan.detectedText, scan.confidence]).toEqual([200, '', '0']);
  });
});

describe('what cannot be taken', () => {
  it.each(UNREADABLE)('B259 B131 C48: %s is refused in words', (_name, make) => expectRefused(make, WORDS.unreadable));

  it.each(TOO_LARGE)('B259 C48: %s is too large, before it is decoded', (_name, make) =>
    expectRefused(make, WORDS.tooLarge),
  );

  it('B259: no bytes at all are no image', () => expectRefused(() => Buffer.alloc(0), WORDS.missing));
});

it(`B259 C48: ${MUTANTS} spoilt pictures, two at a time, are each read or refused in words`, async () => {
  const told = await inPairs(mutants(SPOILABLE, MUTANTS), analyze);
  const refusals = told.filter(({ status }) => status !== 200).map(({ status, words }) => `${status} ${words}`);
  expect(
    [...new Set(refusals)].filter((one) => !Object.values(WORDS).some((words) => words.join(' ') === one)),
  ).toEqual([]);
  // They are spoilt, and not so much that nobody looks into them.
  expect(refusals.length).toBeGreaterThan(MUTANTS / 3);
  expect(refusals.length).toBeLessThan((MUTANTS * 9) / 10);
}, 180_000);

describe('after all of them', () => {
  it('B258: the next photo is read', async () => {
    expect(await analyze(GOOD)).toMatchObject({ status: 200, scan: { detectedText: upright.reading } });
  });

  it('nothing was reported, and nobody wrote into the log', () => {
    expect(
      server
        .output()
        .split('\n')
        .filter((line) => !/^(\[remix-serve\] .*|[A-Z]+ \/\S* \d{3} .*|)$/.test(line)),
    ).toEqual([]);
  });

  it.runIf(TOLD_BY_SYSTEM)(`the memory never was ${GROWTH_AT_MOST} MB above that of good photos`, () => {
    expect(memoryOf(server.pid).peak - before).toBeLessThan(GROWTH_AT_MOST);
  });
});

interface Told {
  status: number;
  words: string;
  /** Empty unless the status is 200. */
  scan: { detectedText: string; confidence: string; photo: string };
}

async function analyze(picture: Buffer): Promise<Told> {
  const answer = await fetch(`${server.url}/api/analyze-image`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ imageData: picture.toString('base64'), meterType: 'hobbs', aircraftId }),
  });
  const words = await answer.text();
  return { status: answer.status, words, scan: answer.ok ? JSON.parse(words) : {} };
}

async function expectRefused(make: Picture[1], words: (number | string)[]): Promise<void> {
  const answer = await analyze(await make());
  expect([answer.status, answer.words]).toEqual(words);
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
