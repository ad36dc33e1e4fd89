import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readRawAnswer, openSocket } from '#tests/support/raw.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { openFilesIn } from '#tests/support/upload-files.ts';

const MIB = 1024 * 1024;
const PHOTO = 20 * MIB;
const END = '--\r\n';

const temporary = await mkdtemp(path.join(tmpdir(), 'uploads-'));
let server: TestServer;
let cookie: string;
let aircraftId: number;
beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'error', TMPDIR: temporary });
  const schoolId = await makeSchool(server.db);
  aircraftId = await makeAircraft(server.db, schoolId);
  cookie = await cookieOf(server.db, await makeUser(server.db, schoolId));
});
afterAll(async () => {
  await server.stop();
  await rm(temporary, { recursive: true });
});

/** Bytes of uploads that a server has on disk. */
const onDisk = (pid: number) => openFilesIn(temporary, pid).reduce((sum, { size }) => sum + size, 0);
const waiting = { timeout: 120_000 };

it('four forms with three photos of 20 MB each, all on their way at once, are on the disk as they come (C48)', async () => {
  const sockets = await Promise.all([1, 2, 3, 4].map(() => sendPhotos(server, cookie)));
  await expect.poll(() => onDisk(server.pid), waiting).toBe(12 * PHOTO);
  const answers = await Promise.all(sockets.map(finish));
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  for (const { text } of answers) expect(text).toContain('Please use a JPEG or PNG photo.');
  await expect.poll(() => openFilesIn(temporary, server.pid), waiting).toEqual([]);
});

it.each(['/login', '/drafts'])(
  'a photo sent to %s, which asks for none, is deleted with the request',
  async (address) => {
    const form = new FormData();
    form.append('photo', new File(['x'.repeat(1000)], 'meter.jpg'));
    const answer = await fetch(server.url + address, {
      method: 'POST',
      headers: { cookie, origin: server.url },
      body: form,
    });
    expect(answer.status).toBeLessThan(500);
    await expect.poll(() => openFilesIn(temporary, server.pid), waiting).toEqual([]);
  },
);

it('a sender who goes away in the middle of a form leaves no photo behind', async () => {
  const socket = await sendPhotos(server, cookie);
  await expect.poll(() => onDisk(server.pid), waiting).toBe(3 * PHOTO);
  socket.destroy();
  await expect.poll(() => openFilesIn(temporary, server.pid), waiting).toEqual([]);
});

it('a server that is killed in the middle of a form leaves no photo behind', async () => {
  const killed = await startServer({ LOG_LEVEL: 'error', TMPDIR: temporary });
  const user = await makeUser(killed.db, await makeSchool(killed.db));
  await sendPhotos(killed, await cookieOf(killed.db, user));
  await expect.poll(() => onDisk(killed.pid), waiting).toBe(3 * PHOTO);
  process.kill(killed.pid, 'SIGKILL');
  await killed.stop();
  expect((await readdir(temporary)).filter((name) => name.startsWith('flightline-'))).toEqual([]);
});

/** A check-out form with three photos, of which only the very last bytes are still to come. */
async function sendPhotos({ url }: TestServer, as: string): Promise<Socket> {
  const part = (name: string, more = '') => `\r\n--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const photos = ['startHobbsPhoto', 'startTachPhoto', 'otherPhoto'].map((name) => part(name, '; filename="a.jpg"'));
  const text = `${part('aircraftId')}${aircraftId}${part('intent')}read-hobbs`;
  const length = text.length + photos.join('').length + photos.length * PHOTO + '\r\n--b'.length + END.length;
  const head = ['POST /flight-log?index&step=1 HTTP/1.1', 'Host: localhost', 'Connection: close', `Cookie: ${as}`];
  const type = ['Content-Type: multipart/form-data; boundary=b', `Content-Length: ${length}`];
  const socket = await openSocket(url, `${[...head, ...type].join('\r\n')}\r\n\r\n`);
  const body = function* () {
    yield text;
    for (const photo of photos) {
      yield photo;
      for (let sent = 0; sent < PHOTO; sent += MIB) yield Buffer.alloc(MIB, 'a');
    }
    yield '\r\n--b';
  };
  await pipeline(Readable.from(body()), socket, { end: false });
  return socket;
}

function finish(socket: Socket) {
  const answer = readRawAnswer(socket);
  socket.write(END);
  return answer;
}
