import { expect, it } from 'vitest';
import { z } from 'zod';
import { MAX_FORM_FIELDS } from '#app/limits.ts';
import { parseOrThrow } from '#app/server/parse.server.ts';
import { readForm, readJson } from '#app/server/body/body.server.ts';
import { action as logIn } from '#app/routes/api.login.ts';
import { action } from '#app/routes/login/route.tsx';
import { answerOf, call } from '#tests/support/ask.ts';
import { testDatabase } from '#tests/support/database.ts';

await testDatabase();

const URLENCODED = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=b';
const MIB = 1024 * 1024;

function request(type: string | undefined, body: BodyInit): Request {
  const headers = new Headers({ origin: 'http://localhost:3000' });
  if (type !== undefined) headers.set('content-type', type);
  const raw = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return new Request('http://localhost:3000/login', { method: 'POST', headers, body: raw, duplex: 'half' });
}

const form = (type: string | undefined, body: BodyInit) => answerOf(action(call(request(type, body))));
const json = (type: string | undefined, body: BodyInit) => answerOf(logIn(call(request(type, body))));

const part = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const fields = (count: number) => Array.from({ length: count }, (_, at) => `f${at}=1`).join('&');

it('a form is 415 where its content type is that of no form, 413 where it, or a part of it, is too large', async () => {
  for (const type of [undefined, 'text/plain', 'application/json', ';'])
    expect(await form(type, 'username=a'), type).toMatchObject({ status: 415, body: 'A form was expected.' });
  const refused = { status: 413, body: 'This is too large to be sent.' };
  expect(await form(URLENCODED, `username=${'a'.repeat(256 * 1024 - 8)}`)).toMatchObject(refused);
  expect(await form(MULTIPART, `${part('username', 'a'.repeat(300 * 1024))}--b--`)).toMatchObject(refused);
});

it('a form is 400 with a message where it is broken, or has more than a form of ours has', async () => {
  const broken = [
    ['multipart without a boundary', 'multipart/form-data', part('username', 'a')],
    ['multipart that breaks off', MULTIPART, part('username', 'a')],
    ['empty multipart', MULTIPART, ''],
    ['multipart of another boundary', MULTIPART, 'nothing of the kind'],
    ['a field name that keeps parsers busy', URLENCODED, 'x[4294967294]=1'],
    ['a field name that keeps parsers busy, in multipart', MULTIPART, `${part('x[4294967294]', '1')}--b--`],
    ['a deeply nested field name', URLENCODED, `x${'[0]'.repeat(30)}=1`],
    ['the field name __proto__', URLENCODED, '__proto__.polluted=1'],
    ['an empty field name', URLENCODED, '=1'],
    ['an emoji as a field name', URLENCODED, '%F0%9F%9B%A9=1'],
    [`${MAX_FORM_FIELDS + 1} fields`, URLENCODED, fields(MAX_FORM_FIELDS + 1)],
    ['NUL in a value', URLENCODED, 'username=a%00b&password=x'],
    ['NUL in a value of multipart', MULTIPART, `${part('username', 'a\0b')}--b--`],
  ] as const;
  for (const [name, type, body] of broken) {
    const answer = await form(type, body);
    expect(answer.status, name).toBe(400);
    expect(answer.body, name).toMatch(/^(The form|The text) [a-z ]+\.( Please send it again\.)?$/);
  }
});

it('a form is read where only its fields are odd, and asked for what is missing', async () => {
  const odd = [
    [`${MAX_FORM_FIELDS} fields`, URLENCODED, fields(MAX_FORM_FIELDS)],
    ['broken escapes', URLENCODED, 'username=%E0%A4%A&password=%'],
    ['bytes that are no UTF-8', URLENCODED, new Uint8Array([0x75, 0x3d, 0xff, 0xfe, 0xc0])],
    ['an empty body', URLENCODED, ''],
    ['ten thousand ampersands', URLENCODED, '&'.repeat(10_000)],
    ['a file instead of a text', MULTIPART, `${part('username"; filename="a', 'x')}--b--`],
    ['one field many times', URLENCODED, 'username=a&'.repeat(50) + 'password=b'],
    ['a field with another inside', URLENCODED, 'username.first=a&username[0]=b&password=c'],
  ] as const;
  for (const [name, type, body] of odd) {
    const answer = await form(type, body);
    expect([400, 401], name).toContain(answer.status);
    expect(answer.body, name).toHaveProperty('result');
  }
});

it('an API call is 415 by its content type, 413 where it is too large, 400 where it is no JSON (B239, C27)', async () => {
  const refused = { status: 415, body: 'The content type must be application/json.' };
  for (const type of [undefined, URLENCODED, 'application/jsonp'])
    expect(await json(type, '{}'), type).toMatchObject(refused);
  // In capitals, and with its characters.
  expect((await json('Application/JSON; Charset=UTF-8', '{}')).status).toBe(400);
  expect((await form('Application/X-WWW-Form-URLencoded', 'username=a')).status).toBe(400);
  const large = await json('application/json', JSON.stringify({ username: 'a'.repeat(256 * 1024) }));
  expect(large).toMatchObject({ status: 413, body: 'This is too large to be sent.' });
  const invalid = [
    ['empty', ''],
    ['cut in half', '{"username":"a"'],
    ['that of a form', 'username=a'],
    ['no UTF-8', new Uint8Array([0x22, 0xff, 0xfe, 0x22])],
    ['100,000 brackets', '['.repeat(100_000)],
    ['100,000 brackets and their ends', '['.repeat(100_000) + ']'.repeat(100_000)],
  ] as const;
  const unread = { status: 400, body: 'The request body is not valid JSON.' };
  for (const [name, body] of invalid) expect(await json('application/json', body), name).toMatchObject(unread);
});

it('an API call of many values is 413 before they are read, one of long texts is read (B1719)', async () => {
  const body = (text: string) => request('application/json', text);
  const most = 12 * MIB;
  await expect(readJson(body(`[${'0,'.repeat(50_001)}0]`), most)).rejects.toMatchObject({ code: 'tooLarge' });
  const long = { notes: ','.repeat(20_000), image: 'A'.repeat(10 * MIB) };
  expect(await readJson(body(JSON.stringify(long)), most)).toEqual(long);
});

it('an API call with characters that no text has, another shape or values of other types is 400 (B239)', async () => {
  const characters = [
    '{"username":"a\\u0000b","password":"x"}',
    '{"username":"a\\ud800b","password":"x"}',
    '{"username":"a","password":"x","more":[{"deep":"\\udfff"}]}',
    '{"user\\u0000name":"a"}',
  ];
  const shapes = ['null', 'true', '7', '"a"', '[]', '{}', '[{"username":"a","password":"x"}]'];
  const types = [
    '{"username":7,"password":"x"}',
    '{"username":["a"],"password":{"$ne":null}}',
    '{"username":null,"password":null}',
    '{"username":"a","password":"x","sharedComputer":"yes"}',
  ];
  for (const body of [...characters, ...shapes, ...types])
    expect((await json('application/json; charset=utf-8', body)).status, body).toBe(400);
});

it('a value of another type is refused by the name of its field, where its schema has no words (B1713)', () => {
  const schema = z.object({
    reason: z.string().optional(),
    unsafe: z.boolean().optional(),
    records: z.array(z.object({ quarts: z.number() })).optional(),
    reading: z.union([z.string(), z.number()]).optional(),
  });
  for (const [body, words] of [
    [null, 'The request body must be an object.'],
    [[], 'The request body must be an object.'],
    [{ reason: 7 }, '"reason" must be a text.'],
    [{ unsafe: null }, '"unsafe" must be true or false.'],
    [{ records: {} }, '"records" must be a list.'],
    [{ records: [{ quarts: '1' }] }, '"records.0.quarts" must be a number.'],
    [{ reading: {} }, '"reading" is not what this call takes.'],
  ] as const)
    expect(() => parseOrThrow(schema, body), JSON.stringify(body)).toThrow(expect.objectContaining({ message: words }));
});

it('an API call is told the first of several things wrong with a field; __proto__ pollutes nothing (B239)', async () => {
  const schema = z.object({ year: z.string().min(4, 'Too short').regex(/^\d+$/, 'No number') });
  expect(() => parseOrThrow(schema, { year: 'x' })).toThrow(
    expect.objectContaining({ message: 'Too short\nNo number', fields: { year: 'Too short' } }),
  );
  const body = '{"__proto__":{"polluted":true},"constructor":1,"username":"a","password":"x"}';
  expect((await json('application/json', body)).status).toBe(401);
  expect({}).not.toHaveProperty('polluted');
});

it.each([
  ['form', URLENCODED, readForm],
  ['call', 'application/json', readJson],
])('the body of a %s that does not end is refused after 200 MB, one that breaks off is 400', async (_, type, read) => {
  const chunk = new Uint8Array(4 * MIB).fill(97);
  let sent = 0;
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    sent += chunk.byteLength;
    controller.enqueue(chunk);
  };
  await expect(read(request(type, new ReadableStream({ pull })))).rejects.toMatchObject({ code: 'tooLarge' });
  // It is read on, so that the browser hears of it.
  expect(sent).toBeGreaterThanOrEqual(200 * MIB);
  expect(sent).toBeLessThan(220 * MIB);
  const cut = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array([97])),
    pull: (controller) => controller.error(new Error('aborted')),
  });
  await expect(read(request(type, cut))).rejects.toMatchObject({ code: 'invalid' });
});
