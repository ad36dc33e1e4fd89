import { expect, it } from 'vitest';
import { readSettings } from '#app/settings.server.ts';

const NEEDED = { DATABASE_URL: 'postgres://localhost/flightline', SESSION_SECRET: 's'.repeat(32) };

it('METRICS_PORT is another port than PORT or none; it and LOG_LEVEL and PHOTO_WARM_UP are refused in words (B549)', () => {
  const read = (more: Record<string, string>) => readSettings({ ...NEEDED, ...more });
  expect([read({ METRICS_PORT: '' }).METRICS_PORT, read({ METRICS_PORT: '9464' }).METRICS_PORT]).toEqual([
    undefined,
    9464,
  ]);
  for (const METRICS_PORT of ['-1', '65536', '9464.5', 'ninety'])
    expect(() => read({ METRICS_PORT })).toThrow('METRICS_PORT must be a port number, from 0 to 65535.');
  const same = { PORT: '4000', METRICS_PORT: '4000' };
  expect(() => read(same)).toThrow('METRICS_PORT must be another port than PORT.');
  expect(() => read({ LOG_LEVEL: 'loud' })).toThrow(/LOG_LEVEL must be one of trace, debug, info/);
  expect(() => read({ PHOTO_WARM_UP: 'maybe' })).toThrow('PHOTO_WARM_UP must be yes or no.');
  expect(readSettings(NEEDED)).toMatchObject({ LOG_LEVEL: 'info', PHOTO_WARM_UP: 'yes' });
});
