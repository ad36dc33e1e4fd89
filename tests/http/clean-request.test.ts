import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { cleanRequest } from '#app/http/clean-request.server.ts';

const settings = { TRUST_PROXY: 0, APP_URL: 'https://flights.example' };

function cleaned(headers: Record<string, string>) {
  const request = new IncomingMessage(new Socket());
  request.url = '/login';
  Object.assign(request.headers, { host: 'inside:3000', ...headers });
  cleanRequest(request, settings);
  return request.headers;
}

describe('where a request says that it comes from', () => {
  it.each([
    ['the address of APP_URL', 'https://flights.example', 'same-origin'],
    ['the host it was sent to', 'http://inside:3000', 'same-origin'],
    ['another site', 'https://elsewhere.example', 'cross-site'],
    ['nowhere, as a page under no-referrer does', 'null', 'hidden'],
    ['no address at all', 'flights.example', 'cross-site'],
  ])('B322: an Origin of %s becomes a word that is checked, and no 500 of the framework', (_, origin, word) => {
    expect(cleaned({ origin })).toMatchObject({ 'sec-fetch-site': word });
    expect(cleaned({ origin })).not.toHaveProperty('origin');
  });

  it("B322 C24: the browser's own word outranks the 'null' that no-referrer makes of the Origin", () => {
    expect(cleaned({ origin: 'null', 'sec-fetch-site': 'same-origin' })['sec-fetch-site']).toBe('same-origin');
    expect(cleaned({ origin: 'http://inside:3000', 'sec-fetch-site': 'cross-site' })['sec-fetch-site']).toBe(
      'cross-site',
    );
  });

  it('C27: a client that names no origin stays one that names none', () => {
    expect(cleaned({})).not.toHaveProperty('sec-fetch-site');
  });
});
