import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isForForeignHost } from '#app/server/remix-serve/find-refusal.server.ts';
import { createFront } from '#app/server/remix-serve/front.server.ts';
import { normalizeRequest } from '#app/server/remix-serve/normalize-request.server.ts';
import { readSettings } from '#app/settings.server.ts';
import { frontSettings, listen } from '#tests/support/listen.ts';
import { sendRaw } from '#tests/support/raw.ts';

function isForeign(headers: Record<string, string>, url = '/login'): boolean {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { url });
  Object.assign(request.headers, headers);
  return isForForeignHost(request, 'flights.example');
}

describe('the host that a request is for', () => {
  it('a request for our name, in any case and at any port, is served, and one for another is refused (B443)', () => {
    for (const host of ['flights.example', 'FLIGHTS.example', 'flights.example:443', 'flights.example:8080'])
      expect(isForeign({ host }), host).toBe(false);
    const others = ['evil.example', 'flights.example.evil.example', 'evil.example:443', '127.0.0.1', '[::1]:3000'];
    for (const host of [...others, 'localhost', '']) expect(isForeign({ host }), host).toBe(true);
    expect(isForeign({})).toBe(true);
  });

  it('what a trusted proxy has forwarded counts, each of several (B443)', () => {
    expect(isForeign({ host: 'inside:3000', 'x-forwarded-host': 'flights.example' })).toBe(false);
    expect(isForeign({ host: 'flights.example', 'x-forwarded-host': 'evil.example' })).toBe(true);
    expect(isForeign({ host: 'inside', 'x-forwarded-host': 'flights.example, evil.example' })).toBe(true);
  });

  it('what is no host is refused as another host unless a proxy has forwarded the right one (B975)', () => {
    const cases: [Record<string, string>, boolean][] = [
      [{ host: 'flights.example@evil.example' }, true],
      [{ host: 'flights.example:99999' }, true],
      [{ host: 'evil .example' }, true],
      [{ host: '' }, true],
      [{ host: 'flights.example', 'x-forwarded-host': 'evil.example, flights.example' }, true],
      [{ host: 'in side', 'x-forwarded-host': 'flights.example' }, false],
      [{ host: 'inside', 'x-forwarded-host': 'flights.example, flights.example' }, false],
    ];
    for (const [headers, is] of cases) {
      const request = new IncomingMessage(new Socket());
      Object.assign(request, { url: '/login' });
      Object.assign(request.headers, headers);
      normalizeRequest(request, { APP_URL: 'https://flights.example', TRUST_PROXY: 1 });
      expect(isForForeignHost(request, 'flights.example'), JSON.stringify(headers)).toBe(is);
    }
  });

  it('health checks are answered at any host (B443)', () => {
    for (const path of ['/healthz', '/readyz', '/readyz?from=balancer']) {
      expect(isForeign({ host: '10.0.0.7:3000' }, path), path).toBe(false);
    }
    expect(isForeign({ host: '10.0.0.7:3000' }, '/healthz/x')).toBe(true);
  });

  it('a refusal is 421 in words, and the framework never sees the request (B443)', async () => {
    const seen: string[] = [];
    const settings = { ...frontSettings, APP_URL: 'https://flights.example', REFUSES_FOREIGN_HOSTS: true };
    const server = createFront(settings, {
      answer: (request, response) => {
        seen.push(request.headers.host ?? '');
        response.end('served');
      },
    });
    onTestFinished(() => void server.close());
    const url = await listen(server);
    const ask = (host: string) => sendRaw(url, `GET / HTTP/1.1\r\nConnection: close\r\nHost: ${host}\r\n\r\n`);
    const refused = await ask('evil.example');
    expect(refused.status).toBe(421);
    expect(refused.text).toContain('This server answers at https://flights.example only.');
    expect((await ask('flights.example')).text).toContain('served');
    expect(seen).toEqual(['flights.example']);
  });

  it('the host is checked in production with APP_URL set, and in no other case (B443)', () => {
    const required = { DATABASE_URL: 'postgres://localhost/x', SESSION_SECRET: 'x'.repeat(32) };
    const APP_URL = 'https://flights.example';
    expect(readSettings({ ...required, APP_URL }).REFUSES_FOREIGN_HOSTS).toBe(true);
    expect(readSettings({ ...required, APP_URL: '' }).REFUSES_FOREIGN_HOSTS).toBe(false);
    expect(readSettings({ ...required, APP_URL, NODE_ENV: 'development' }).REFUSES_FOREIGN_HOSTS).toBe(false);
  });
});
