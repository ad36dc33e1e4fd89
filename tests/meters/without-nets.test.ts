import { afterAll, expect, it, vi } from 'vitest';
import { readMeter } from '#app/domain/meters/read-meter.server.ts';
import { stopTesseract } from '#app/domain/meters/tesseract.server.ts';
import { plate } from '#tests/support/pictures.ts';

vi.mock('#app/domain/meters/engine.server.ts', async (original) => {
  const engine = await original<typeof import('#app/domain/meters/engine.server.ts')>();
  return { ...engine, askEngine: () => Promise.reject(new engine.EngineMissing()) };
});
afterAll(() => stopTesseract());

it('without its nets Tesseract reads alone, and says how little that is worth', async () => {
  const { detectedText, confidence } = await readMeter(await plate('1234.5'), { meterType: 'hobbs' });
  expect(detectedText).toBe('1234.5');
  expect(confidence).toBeLessThan(0.5);
});
