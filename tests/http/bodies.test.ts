import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseOrThrow } from '#app/server/parse.server.ts';
import { readForm, readJson } from '#app/server/body/body.server.ts';
import { action as logIn } from '#app/routes/api.login.ts';
import { action } from '#app/routes/login/route.tsx';
import { answerOf } from '#tests/support/answers.ts';
import { testDatabase } from '#tests/support/database.ts';
import { call } from '#tests/support/requests.ts';

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

describe('a form that cannot be read', () => {
  it.each([
    ['missing', undefined, 'username=a'],
    ['plain text', 'text/plain', 'username=a'],
    ['JSON', 'application/json', '{"username":"a"}'],
    ['empty', ';', 'username=a'],
  ])('a form whose content type is %s is 415', async (_, type, body) => {
    expect(await form(type, body)).toMatchObject({ status: 415, body: 'A form was expected.' });
  });

  it.each([
    ['one byte too many', URLENCODED, `username=${'a'.repeat(256 * 1024 - 8)}`],
    ['a part too large', MULTIPART, `${part('username', 'a'.repeat(300 * 1024))}--b--`],
  ])('a form with %s is 413', async (_, type, body) => {
    expect(await form(type, body)).toMatchObject({ status: 413, body: 'This is too large to be sent.' });
  });

  it.each([
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
    ['101 fields', URLENCODED, fields(101)],
    ['NUL in a value', URLENCODED, 'username=a%00b&password=x'],
    ['NUL in a value of multipart', MULTIPART, `${part('username', 'a\0b')}--b--`],
  ])('a form with %s is 400 with a message', async (_, type, body) => {
    const answer = await form(type, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatch(/^(The form|The text) [a-z ]+\.( Please send it again\.)?$/);
  });

  it.each([
    ['100 fields', URLENCODED, fields(100)],
    ['broken escapes', URLENCODED, 'username=%E0%A4%A&password=%'],
    ['bytes that are no UTF-8', URLENCODED, new Uint8Array([0x75, 0x3d, 0xff, 0xfe, 0xc0])],
    ['an empty body', URLENCODED, ''],
    ['ten thousand ampersands', URLENCODED, '&'.repeat(10_000)],
    [
      'a file instead of a text',
      MULTIPART,
      `--b\r\nContent-Disposition: form-data; name="username"; filename="a"\r\n\r\nx\r\n--b--`,
    ],
    ['one field many times', URLENCODED, 'username=a&'.repeat(50) + 'password=b'],
    ['a field with another inside', URLENCODED, 'username.first=a&username[0]=b&password=c'],
  ])('a form with %s is read, and asked for what is missing', async (_, type, body) => {
    const answer = await form(type, body);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(402);
    expect(answer.body).toHaveProperty('result');
  });
});

describe('a call whose body cannot be read', () => {
  it.each([
    ['missing', undefined],
    ['that of a form', URLENCODED],
    ['application/jsonp', 'application/jsonp'],
  ])('an API call whose content type is %s is 415 (B239, C27)', async (_, type) => {
    expect(await json(type, '{}')).toMatchObject({ status: 415, body: 'The content type must be application/json.' });
  });

  it('the content type of a form and of an API call may be in capitals, and name its characters (B239)', async () => {
    expect((await json('Application/JSON; Charset=UTF-8', '{}')).status).toBe(400);
    expect((await form('Application/X-WWW-Form-URLencoded', 'username=a')).status).toBe(400);
  });

  it('an API call whose body is too large is 413 (B239)', async () => {
    const answer = await json('application/json', JSON.stringify({ username: 'a'.repeat(256 * 1024) }));
    expect(answer).toMatchObject({ status: 413, body: 'This is too large to be sent.' });
  });

  it.each([
    ['empty', ''],
    ['cut in half', '{"username":"a"'],
    ['that of a form', 'username=a'],
    ['no UTF-8', new Uint8Array([0x22, 0xff, 0xfe, 0x22])],
    ['100,000 brackets', '['.repeat(100_000)],
    ['100,000 brackets and their ends', '['.repeat(100_000) + ']'.repeat(100_000)],
  ])('an API call whose body is %s is 400 as invalid JSON (B239)', async (_, body) => {
    expect(await json('application/json', body)).toMatchObject({
      status: 400,
      body: 'The request body is not valid JSON.',
    });
  });

  it.each([
    ['NUL in a value', '{"username":"a\\u0000b","password":"x"}'],
    ['half a surrogate pair', '{"username":"a\\ud800b","password":"x"}'],
    ['half a surrogate pair in an unknown field', '{"username":"a","password":"x","more":[{"deep":"\\udfff"}]}'],
    ['NUL in a name', '{"user\\u0000name":"a"}'],
  ])('an API call whose JSON has %s is 400 (B239)', async (_, body) => {
    expect((await json('application/json; charset=utf-8', body)).status).toBe(400);
  });

  it.each(['null', 'true', '7', '"a"', '[]', '{}', '[{"username":"a","password":"x"}]'])(
    'an API call with the body %s is 400 (B239)',
    async (body) => {
      expect((await json('application/json', body)).status).toBe(400);
    },
  );

  it.each([
    '{"username":7,"password":"x"}',
    '{"username":["a"],"password":{"$ne":null}}',
    '{"username":null,"password":null}',
    '{"username":"a","password":"x","sharedComputer":"yes"}',
  ])('an API call with values of other types, %s, is 400 (B239)', async (body) => {
    expect((await json('application/json', body)).status).toBe(400);
  });

  it('of several things wrong with one field an API call is told the first (B239)', () => {
    const schema = z.object({ year: z.string().min(4, 'Too short').regex(/^\d+$/, 'No number') });
    expect(() => parseOrThrow(schema, { year: 'x' })).toThrow(
      expect.objectContaining({ message: 'Too short\nNo number', fields: { year: 'Too short' } }),
    );
  });

  it('an API call may have __proto__ among its fields, which pollutes nothing', async () => {
    const body = '{"__proto__":{"polluted":true},"constructor":1,"username":"a","password":"x"}';
    expect((await json('application/json', body)).status).toBe(400);
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('a body that does not end, or breaks off', () => {
  it.each([
    ['form', URLENCODED, readForm],
    ['call', 'application/json', readJson],
  ])('the body of a %s that does not end is refused after 200 MB', async (_, type, read) => {
    const chunk = new Uint8Array(4 * MIB).fill(97);
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += chunk.byteLength;
        controller.enqueue(chunk);
      },
    });
    await expect(read(request(type, endless))).rejects.toMatchObject({ code: 'tooLarge' });
    expect(sent).toBeLessThan(220 * MIB);
  });

  it.each([
    ['form', URLENCODED, readForm],
    ['call', 'application/json', readJson],
  ])('the body of a %s that breaks off is 400, not 500', async (_, type, read) => {
    const cut = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array([97])),
      pull: (controller) => controller.error(new Error('aborted')),
    });
    await expect(read(request(type, cut))).rejects.toMatchObject({ code: 'invalid' });
  });
});
