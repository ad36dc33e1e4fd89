import { expect, it } from 'vitest';
import { readSettings } from '#app/settings.server.ts';

const NEEDED = { DATABASE_URL: 'postgres://localhost/flightline', SESSION_SECRET: 's'.repeat(32) };

it('without METRICS_PORT there are no metrics (B549)', () => {
  expect(readSettings({ ...NEEDED, METRICS_PORT: '' }).METRICS_PORT).toBeUndefined();
  expect(readSettings({ ...NEEDED, METRICS_PORT: '9464' }).METRICS_PORT).toBe(9464);
});

it.each(['-1', '65536', '9464.5', 'ninety'])('METRICS_PORT=%s is refused in words (B549)', (METRICS_PORT) => {
  expect(() => readSettings({ ...NEEDED, METRICS_PORT })).toThrow(
    'METRICS_PORT must be a port number, from 0 to 65535.',
  );
});

it('the metrics cannot have the port of the application (B549)', () => {
  const ports = { PORT: '4000', METRICS_PORT: '4000' };
  expect(() => readSettings({ ...NEEDED, ...ports })).toThrow('METRICS_PORT must be another port than PORT.');
});

it('LOG_LEVEL and PHOTO_WARM_UP are refused in words, and have the defaults of .env.example (B549)', () => {
  expect(() => readSettings({ ...NEEDED, LOG_LEVEL: 'loud', PHOTO_WARM_UP: 'maybe' })).toThrow(
    /LOG_LEVEL must be one of trace, debug, info.*\nPHOTO_WARM_UP must be yes or no\.|PHOTO_WARM_UP must be yes or no\.\nLOG_LEVEL must be one of/,
  );
  expect(readSettings(NEEDED)).toMatchObject({ LOG_LEVEL: 'info', PHOTO_WARM_UP: 'yes' });
});
