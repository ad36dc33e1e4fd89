import { afterEach, describe, expect, it, vi } from 'vitest';
import { readSettings } from '#app/settings.server.ts';

afterEach(() => vi.useRealTimers());

const REQUIRED = { DATABASE_URL: 'postgres://localhost/x', SESSION_SECRET: 'x'.repeat(32) };
const read = (more: Partial<Record<string, string>>) => readSettings({ ...REQUIRED, ...more });

it.each([
  ['SESSION_SECRET', ['x'.repeat(32), 'x'.repeat(33)], ['', 'x'.repeat(31)]],
  ['PORT', ['0', '1', '65535'], ['-1', '65536', '3000.5', 'http']],
  ['TRUST_PROXY', ['0', '9'], ['-1', '10', '1.5', 'yes']],
])('%s may be %j, and not %j (C26, C37)', (name, taken, refused) => {
  for (const value of taken) expect(read({ [name]: value }), value).toBeDefined();
  for (const value of refused) expect(() => read({ [name]: value }), value).toThrow(name);
});

it('no proxy is trusted, and this machine alone is served, until a setting says otherwise (C37)', () => {
  expect(read({})).toMatchObject({ TRUST_PROXY: 0, HOST: '127.0.0.1', PORT: 3000, APP_URL: 'http://localhost:3000' });
});

it('the example secret is refused where others can reach the server, and taken where nobody can (C26)', () => {
  const SESSION_SECRET = 'for-this-machine-only-replace-before-others-reach-it';
  expect(read({ SESSION_SECRET })).toMatchObject({ SESSION_SECRET });
  for (const reachable of [{ HOST: '0.0.0.0' }, { APP_URL: 'https://school.example' }]) {
    expect(() => read({ SESSION_SECRET, ...reachable })).toThrow('SESSION_SECRET');
  }
});

describe('shutdown', () => {
  async function freshShutdown() {
    vi.resetModules();
    const others = globalThis.shutdownHandlers;
    globalThis.shutdownHandlers = undefined;
    const fresh = await import('#app/server/remix-serve/shutdown.server.ts');
    globalThis.shutdownHandlers = others;
    return fresh;
  }

  it('what fails as it stops is told, and keeps nothing else from being stopped (C23)', async () => {
    const { onShutdown, shutDown } = await freshShutdown();
    const broken = new Error('no answer');
    const stopped = vi.fn(async () => {});
    onShutdown('work', () => Promise.reject(broken));
    for (const stage of ['work', 'pools', 'postgres'] as const) onShutdown(stage, stopped);
    try {
      expect(await shutDown()).toEqual([broken]);
    } finally {
      globalThis.isShuttingDown = undefined;
    }
    expect(stopped).toHaveBeenCalledTimes(3);
  });

  it('work gets five seconds to end, pools one and the embedded Postgres three and a half, one after the other (C23)', async () => {
    const { onShutdown, shutDown } = await freshShutdown();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const begun: string[] = [];
    const hangs = (name: string) => () => {
      begun.push(name);
      return new Promise(() => {});
    };
    for (const stage of ['postgres', 'pools', 'work'] as const) onShutdown(stage, hangs(stage));
    const ended = vi.fn();
    void shutDown().then(ended);
    for (const [limit, next] of [
      [5000, 'pools'],
      [1000, 'postgres'],
      [3500, 'end'],
    ] as const) {
      await vi.advanceTimersByTimeAsync(limit - 1);
      expect([...begun, ended.mock.calls.length > 0 && 'end']).not.toContain(next);
      await vi.advanceTimersByTimeAsync(1);
      // A process that was busy looks twice for what has ended meanwhile.
      for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      expect([...begun, ended.mock.calls.length > 0 && 'end']).toContain(next);
    }
  });
});
