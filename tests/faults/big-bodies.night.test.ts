import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readRawAnswer, openSocket } from '#tests/support/raw.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const MIB = 1024 * 1024;
const SENT = 150;

let server: TestServer;
let cookie: string;
let aircraftId: number;
beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'error' });
  const schoolId = await makeSchool(server.db);
  aircraftId = await makeAircraft(server.db, schoolId);
  cookie = await cookieOf(server.db, await makeUser(server.db, schoolId));
});
afterAll(() => server.stop());

const upload = () =>
  `--b\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n\xff\xd8\xff`;
const call = () => `{"aircraftId":${aircraftId},"meterType":"hobbs","imageData":"`;

/** Where it goes, its type, how it begins, the answer. Without a session nothing is read that need not be. */
const BODIES = [
  ['a form', '/login', 'application/x-www-form-urlencoded', () => 'username=', 413, 'This is too large to be sent.'],
  ['a form in parts', '/login', 'multipart/form-data; boundary=b', upload, 413, 'This is too large to be sent.'],
  ['a form of another type', '/login', 'text/plain', () => '', 415, 'A form was expected.'],
  ['a call', '/api/login', 'application/json', () => '{"username":"', 413, 'This is too large to be sent.'],
  ['a call of another type', '/api/login', 'text/plain', () => '', 415, 'The content type must be application/json.'],
  ['a photo', '/ocr?index', 'multipart/form-data; boundary=b', upload, 413, 'This is too large to be sent.'],
  ['a photo to read', '/api/analyze-image', 'application/json', call, 413, 'Image too large.'],
] as const;

it.each(BODIES)('%s of 150 MB, sent to %s, is refused in words, and the next request served (C48)', async (...body) => {
  const [, path, type, begin, status, words] = body;
  for (const chunked of [false, true]) {
    const answer = await post(path, type, begin(), chunked);
    expect([chunked, answer.status]).toEqual([chunked, status]);
    expect(answer.text).toContain(words);
    expect((await fetch(`${server.url}/login`)).status).toBe(200);
  }
});

it('four bodies of 150 MB at once are refused in words (C48)', async () => {
  const photo = 'multipart/form-data; boundary=b';
  const answers = [false, true, false, true].map((chunked) => post('/ocr?index', photo, upload(), chunked));
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([413, 413, 413, 413]);
  expect(server.output()).not.toContain('"level":50');
});

async function post(path: string, type: string, begin: string, chunked: boolean) {
  const first = Buffer.from(begin, 'latin1');
  const length = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${first.length + SENT * MIB}`;
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    `Cookie: ${cookie}`,
    `Content-Type: ${type}`,
    length,
  ];
  const socket = await openSocket(server.url, `${head.join('\r\n')}\r\n\r\n`);
  const answer = readRawAnswer(socket);
  // The server may close before all of it is sent.
  await pipeline(Readable.from(framed(first, chunked)), socket, { end: false }).catch(() => {});
  return answer;
}

function* framed(first: Buffer, chunked: boolean): Generator<Buffer> {
  const part = Buffer.alloc(MIB, 'a');
  for (const bytes of [first, ...Array.from({ length: SENT }, () => part)]) {
    if (bytes.length === 0) continue;
    yield chunked
      ? Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
      : bytes;
  }
  if (chunked) yield Buffer.from('0\r\n\r\n');
}
