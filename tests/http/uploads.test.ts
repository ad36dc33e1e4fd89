import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { MAX_FORM_FIELDS } from '#app/limits.ts';
import { readForm, withForm } from '#app/server/body/body.server.ts';
import { closeFiles, UploadStorageError } from '#app/server/body/uploaded-file.server.ts';
import { CAN_SEE_FILES, openFilesIn } from '#tests/support/upload-files.ts';
import { nightly } from '#tests/support/takes-all.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'uploads-'));
beforeEach(() => vi.stubEnv('TMPDIR', folder));
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

const KIB = 1024;
const LIMIT = 1024 * KIB;

const text = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (name: string, content: string, fileName = 'meter.jpg') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"; filename="${fileName}"\r\nContent-Type: image/jpeg\r\n\r\n${content}\r\n`;
const END = '--b--\r\n';

/** A multipart post whose body comes in pieces of this size, or as this stream. */
function upload(body: string | ReadableStream<Uint8Array>, size = 64 * KIB): Request {
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  const stream = typeof body === 'string' ? inPieces(Buffer.from(body, 'latin1'), size) : body;
  return new Request('http://localhost:3000/ocr', { method: 'POST', headers, body: stream, duplex: 'half' });
}

function inPieces(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull: (controller) => {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + size));
      at += size;
    },
  });
}

const bytesOf = async (form: FormData, name: string) => {
  const value = form.get(name);
  return value instanceof File ? Buffer.from(await value.arrayBuffer()).toString('latin1') : undefined;
};

// Every byte there is, and what nearly ends a part.
const PHOTO = `${String.fromCharCode(...Array.from({ length: 256 }, (_, at) => at))}\r\n--\r\n-b--\r\n--`;

it.each([1, 7, 64 * KIB])(
  'a photo posted in pieces of %i bytes arrives as it was sent, between its fields (C48)',
  async (size) => {
    const request = upload(text('aircraftId', '7') + file('image', PHOTO) + text('meterType', 'hobbs') + END, size);
    await withForm(request, LIMIT, async (form) => {
      expect([...form.keys()]).toEqual(['aircraftId', 'image', 'meterType']);
      expect([form.get('aircraftId'), form.get('meterType')]).toEqual(['7', 'hobbs']);
      expect(await bytesOf(form, 'image')).toBe(PHOTO);
      expect(form.get('image')).toMatchObject({ name: 'meter.jpg', type: 'image/jpeg', size: PHOTO.length });
    });
  },
);

it('a file field that was left empty is an empty file without a name', async () => {
  await withForm(upload(file('image', '', '') + END), LIMIT, async (form) => {
    expect(form.get('image')).toMatchObject({ name: '', size: 0 });
    expect(await bytesOf(form, 'image')).toBe('');
  });
});

it('a posted photo can be read until the work with its form is done', async () => {
  const form = await withForm(upload(file('image', 'abc') + END), LIMIT, async (open) => {
    expect([await bytesOf(open, 'image'), await bytesOf(open, 'image')]).toEqual(['abc', 'abc']);
    return open;
  });
  await expect(bytesOf(form, 'image')).rejects.toThrow();
});

it('a posted photo is deleted when the work with its form fails', async () => {
  let form = new FormData();
  const work = withForm(upload(file('image', 'abc') + END), LIMIT, async (open) => {
    form = open;
    throw new Error('failed');
  });
  await expect(work).rejects.toThrow('failed');
  await expect(bytesOf(form, 'image')).rejects.toThrow();
});

it('a form with photos may have 256 KB of text, as any form', async () => {
  const half = 'a'.repeat(128 * KIB);
  const form = await readForm(upload(text('notes', half) + text('more', half) + END), LIMIT);
  expect([form.get('notes'), form.get('more')]).toEqual([half, half]);
});

it.each([
  ['one field', text('notes', 'a'.repeat(256 * KIB + 1))],
  ['two fields', text('notes', 'a'.repeat(256 * KIB)) + text('more', 'a')],
])('a form with photos and more than 256 KB of text in %s is refused: 413', async (_, body) => {
  await expect(readForm(upload(body + END), LIMIT)).rejects.toMatchObject({ code: 'tooLarge' });
});

const photos = (count: number) => Array.from({ length: count }, (_, at) => file(`p${at}`, 'x')).join('');

it('a form may have ten photos and, with them, as many fields as any', async () => {
  const fields = Array.from({ length: MAX_FORM_FIELDS - 10 }, (_, at) => text(`f${at}`, 'x')).join('');
  await withForm(upload(photos(10) + fields + END), LIMIT, async (form) => {
    expect([...form.keys()]).toHaveLength(MAX_FORM_FIELDS);
  });
});

const cutOff = (begin: string) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from(begin)),
    pull: (controller) => controller.error(new Error('aborted')),
  });

/** Forms that hold a photo before they turn out to be none. */
const REFUSED: [string, () => Request, string][] = [
  ['that breaks off in its only photo', () => upload(file('image', 'abc')), 'invalid'],
  ['that breaks off in its second photo', () => upload(file('image', 'abc') + file('more', 'abc')), 'invalid'],
  ['that breaks off in a text', () => upload(`${file('image', 'abc')}${text('notes', 'abc')}`), 'invalid'],
  ['whose sender goes away in a photo', () => upload(cutOff(file('image', 'abc') + file('more', 'abc'))), 'invalid'],
  ['with a field of another form', () => upload(file('image', 'abc') + text('x[4294967294]', '1') + END), 'invalid'],
  ['with a photo of another form', () => upload(file('image', 'abc') + file('x y', 'abc') + END), 'invalid'],
  [
    'with a photo for no field',
    () => upload(`${file('image', 'abc')}--b\r\nContent-Disposition: form-data; filename="a"\r\n\r\nx\r\n${END}`),
    'invalid',
  ],
  [
    'with a text for no field',
    () => upload(`${file('image', 'abc')}--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n${END}`),
    'invalid',
  ],
  ['with text that cannot be stored', () => upload(file('image', 'abc') + text('notes', 'a\0b') + END), 'invalid'],
  ['with a photo whose name cannot be stored', () => upload(file('image', 'abc', 'a\0b.jpg') + END), 'invalid'],
  ['with 11 photos', () => upload(photos(11) + END), 'invalid'],
  [
    'with a field too many',
    () => upload(photos(1) + Array.from({ length: MAX_FORM_FIELDS }, (_, at) => text(`f${at}`, 'x')).join('') + END),
    'invalid',
  ],
  ['past its limit in a photo', () => upload(file('image', 'abc') + file('more', 'x'.repeat(LIMIT)) + END), 'tooLarge'],
  ['with too much text', () => upload(file('image', 'abc') + text('notes', 'x'.repeat(257 * KIB)) + END), 'tooLarge'],
];

it.skipIf(!CAN_SEE_FILES).each(REFUSED)(
  'a form %s is refused, and none of its photos is kept',
  async (_, request, code) => {
    await expect(readForm(request(), LIMIT)).rejects.toMatchObject({ code });
    expect(openFilesIn(folder, 'self')).toEqual([]);
  },
);

it.each([
  ['an unknown charset', 'Content-Disposition: form-data; name="notes"\r\nContent-Type: text/plain; charset=nope'],
  ['headers in capitals', 'CONTENT-DISPOSITION: FORM-DATA; NAME="notes"'],
  ['a name without quotes', 'Content-Disposition: form-data; name=notes'],
  [
    'the type of a file but no file name',
    'Content-Disposition: form-data; name="notes"\r\nContent-Type: application/octet-stream',
  ],
])('a multipart field with %s is read as text', async (_, headers) => {
  const form = await readForm(upload(`--b\r\n${headers}\r\n\r\nabc\r\n${END}`), LIMIT);
  expect(form.get('notes')).toBe('abc');
});

it.each([
  ['a boundary of 300 characters', `multipart/form-data; boundary=${'b'.repeat(300)}`],
  ['no boundary', 'multipart/form-data; boundary'],
  ['parameters that are none', 'multipart/form-data;;=;"'],
])('a multipart type with %s is bad input: 400', async (_, type) => {
  const body = text('notes', 'abc') + END;
  const request = new Request('http://localhost:3000/ocr', { method: 'POST', headers: { 'content-type': type }, body });
  await expect(readForm(request, LIMIT)).rejects.toMatchObject({ code: 'invalid' });
});

it.skipIf(!CAN_SEE_FILES)("a photo on disk has no name that others could open, and is its owner's alone", async () => {
  const form = await readForm(upload(file('image', 'abc') + END), LIMIT);
  expect(openFilesIn(folder, 'self')).toEqual([{ mode: 0o600, names: 0, size: 3 }]);
  expect(await readdir(folder)).toEqual([]);
  await closeFiles(form);
  expect(openFilesIn(folder, 'self')).toEqual([]);
});

nightly('a server that cannot write a photo to disk does not blame the form, and reads it to its end', async () => {
  vi.stubEnv('TMPDIR', '/nowhere/at/all');
  let sent = 0;
  const body = Buffer.from(file('image', 'x'.repeat(LIMIT / 2)) + END);
  const counted = inPieces(body, KIB).pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        sent += chunk.byteLength;
        controller.enqueue(chunk);
      },
    }),
  );
  await expect(readForm(upload(counted), LIMIT)).rejects.toThrow(UploadStorageError);
  expect(sent).toBe(body.length);
});
