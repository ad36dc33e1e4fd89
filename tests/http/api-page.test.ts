import { load } from 'cheerio';
import { describe, expect, it } from 'vitest';
import { API_CALLS } from '#app/server/contract/calls.server.ts';
import { exampleOf } from '#app/server/contract/example.server.ts';
import { contractSchemas, errorStatusesOf } from '#app/server/contract/openapi.server.ts';
import { ANSWERS } from '#app/server/contract/schemas.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { answerTo, getRequest } from '#tests/support/ask.ts';

await testDatabase();

const ask = (accept: string) => answerTo(getRequest('/api', '', { accept }));
const page = async () => load(String((await ask('text/html,*/*')).body));

describe('/api', () => {
  it('shows each call to anybody without script, under its own policy; as JSON it is the contract itself (B864)', async () => {
    const $ = await page();
    expect($('script, [onclick], [style]')).toHaveLength(0);
    for (const { id, method, path, summary, ...call } of API_CALLS) {
      const text = $(`#${id}`).text();
      expect(text).toContain(`${method.toUpperCase()} ${path}`);
      expect(text).toContain(summary);
      for (const status of errorStatusesOf({ id, method, path, summary, ...call }))
        expect(text).toContain(String(status));
      if (call.pages) expect(text).toContain('limit');
      if (call.response) expect($(`#${id} pre`).length).toBeGreaterThan(0);
    }
    const ids = $('[id]')
      .toArray()
      .map((element) => $(element).attr('id'));
    expect(new Set(ids).size).toBe(ids.length);
    const targets = $('a')
      .toArray()
      .map((element) => $(element).attr('href') ?? '');
    expect(targets.length).toBeGreaterThan(100);
    for (const target of targets) {
      if (target.startsWith('#')) expect(ids).toContain(target.slice(1));
      else expect(['/', '/api/openapi.json', '/account/token']).toContain(target);
    }
    const { status, headers, body } = await ask('text/html');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'/,
    );
    expect(Buffer.byteLength(String(body))).toBeLessThan(250_000);
    const json = await ask('application/json');
    expect([json.headers.get('content-type'), json.headers.get('vary')]).toEqual(['application/json', 'Accept']);
    expect(JSON.parse(String(json.body)).openapi).toBe('3.1.0');
    expect((await ask('text/html, application/json')).headers.get('content-type')).toMatch('text/html');
  });
});

it('each body has an example that its call takes, and that of each answer fits its schema (B864, B873)', () => {
  for (const { id, body, example } of API_CALLS) expect(body?.safeParse(example).error, id).toBeUndefined();
  const named = contractSchemas();
  for (const [name, schema] of Object.entries(ANSWERS))
    expect(schema.safeParse(exampleOf(named[name] ?? {}, named)).error, name).toBeUndefined();
});
