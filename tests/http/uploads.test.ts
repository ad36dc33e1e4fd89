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

it('a photo in pieces of any size arrives as it was sent; an empty field is an empty file without a name (C48)', async () => {
  for (const size of [1, 7, 64 * KIB]) {
    const request = upload(text('aircraftId', '7') + file('image', PHOTO) + text('meterType', 'hobbs') + END, size);
    await withForm(request, LIMIT, async (form) => {
      expect([...form.keys()]).toEqual(['aircraftId', 'image', 'meterType']);
      expect([form.get('aircraftId'), form.get('meterType')]).toEqual(['7', 'hobbs']);
      expect(await bytesOf(form, 'image')).toBe(PHOTO);
      expect(form.get('image')).toMatchObject({ name: 'meter.jpg', type: 'image/jpeg', size: PHOTO.length });
    });
  }
  await withForm(upload(file('image', '', '') + END), LIMIT, async (form) => {
    expect(form.get('image')).toMatchObject({ name: '', size: 0 });
    expect(await bytesOf(form, 'image')).toBe('');
  });
});

it('a posted photo can be read until the work with its form is done, or has failed', async () => {
  const form = await withForm(upload(file('image', 'abc') + END), LIMIT, async (open) => {
    expect([await bytesOf(open, 'image'), await bytesOf(open, 'image')]).toEqual(['abc', 'abc']);
    return open;
  });
  await expect(bytesOf(form, 'image')).rejects.toThrow();
  let failed = new FormData();
  const work = withForm(upload(file('image', 'abc') + END), LIMIT, async (open) => {
    failed = open;
    throw new Error('failed');
  });
  await expect(work).rejects.toThrow('failed');
  await expect(bytesOf(failed, 'image')).rejects.toThrow();
});

it('a form with photos may have 256 KB of text in all, as any form', async () => {
  const half = 'a'.repeat(128 * KIB);
  const form = await readForm(upload(text('notes', half) + text('more', half) + END), LIMIT);
  expect([form.get('notes'), form.get('more')]).toEqual([half, half]);
  for (const body of [text('notes', `${half}${half}a`), text('notes', half + half) + text('more', 'a')])
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

const image = file('image', 'abc');
const unnamed = '--b\r\nContent-Disposition: form-data';
const tooMany = Array.from({ length: MAX_FORM_FIELDS }, (_, at) => text(`f${at}`, 'x')).join('');

/** Forms that hold a photo before they turn out to be none. */
const REFUSED: Record<string, string | ReadableStream<Uint8Array>> = {
  'that breaks off in its only photo': image,
  'that breaks off in its second photo': image + file('more', 'abc'),
  'that breaks off in a text': image + text('notes', 'abc'),
  'whose sender goes away in a photo': cutOff(image + file('more', 'abc')),
  'with a field of another form': image + text('x[4294967294]', '1') + END,
  'with a photo of another form': image + file('x y', 'abc') + END,
  'with a photo for no field': `${image}${unnamed}; filename="a"\r\n\r\nx\r\n${END}`,
  'with a text for no field': `${image}${unnamed}\r\n\r\nx\r\n${END}`,
  'with text that cannot be stored': image + text('notes', 'a\0b') + END,
  'with a photo whose name cannot be stored': file('image', 'abc', 'a\0b.jpg') + END,
  'with 11 photos': photos(11) + END,
  'with a field too many': photos(1) + tooMany + END,
  'past its limit in a photo': image + file('more', 'x'.repeat(LIMIT)) + END,
  'with too much text': image + text('notes', 'x'.repeat(257 * KIB)) + END,
};

it.skipIf(!CAN_SEE_FILES)('a form that is none is refused, and none of its photos is kept', async () => {
  for (const [name, body] of Object.entries(REFUSED)) {
    const code = /past its limit|too much/.test(name) ? 'tooLarge' : 'invalid';
    await expect(readForm(upload(body), LIMIT), name).rejects.toMatchObject({ code });
    expect(openFilesIn(folder, 'self'), name).toEqual([]);
  }
});

it('a multipart field is read as text, however its headers are written; a type that is none is 400', async () => {
  for (const headers of [
    'Content-Disposition: form-data; name="notes"\r\nContent-Type: text/plain; charset=nope',
    'CONTENT-DISPOSITION: FORM-DATA; NAME="notes"',
    'Content-Disposition: form-data; name=notes',
    'Content-Disposition: form-data; name="notes"\r\nContent-Type: application/octet-stream',
  ]) {
    const form = await readForm(upload(`--b\r\n${headers}\r\n\r\nabc\r\n${END}`), LIMIT);
    expect(form.get('notes'), headers).toBe('abc');
  }
  const body = text('notes', 'abc') + END;
  const long = `multipart/form-data; boundary=${'b'.repeat(300)}`;
  for (const type of [long, 'multipart/form-data; boundary', 'multipart/form-data;;=;"']) {
    const headers = { 'content-type': type };
    const request = new Request('http://localhost:3000/ocr', { method: 'POST', headers, body });
    await expect(readForm(request, LIMIT), type).rejects.toMatchObject({ code: 'invalid' });
  }
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
