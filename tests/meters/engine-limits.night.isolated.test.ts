import { afterAll, expect, it, vi } from 'vitest';
import { runEngine, stopEngine } from '#app/domain/meters/engine.server.ts';
import { recognizeDigits, stopTesseract } from '#app/domain/meters/tesseract.server.ts';
import { withWorkLimit } from '#app/domain/meters/work-limit.server.ts';
import { drawMeterPlate } from '#tests/support/pictures.ts';

vi.mock(import('#app/domain/meters/work-limit.server.ts'), { spy: true });
afterAll(() => Promise.all([stopEngine(), stopTesseract()]));

/** The limits that were set, and whether each was of a thread that could be measured. */
const limits = () => vi.mocked(withWorkLimit).mock.calls.map(([, limit, times]) => [limit, typeof times()?.work]);

it('the nets may work 20 seconds to start and 10 for a photo, and sleep for 15 seconds', async () => {
  await runEngine({ rgb: new Uint8Array(30 * 40 * 3).fill(90), rows: 30, columns: 40 });
  expect(limits()).toEqual([
    [{ work: 20_000, sleep: 15_000 }, 'number'],
    [{ work: 10_000, sleep: 15_000 }, 'number'],
  ]);
});

it('Tesseract may work 15 seconds for an image, its start included, and sleep for 15 seconds', async () => {
  vi.mocked(withWorkLimit).mockClear();
  await recognizeDigits(await drawMeterPlate('1234.5'));
  expect(limits()).toEqual([[{ work: 15_000, sleep: 15_000 }, 'number']]);
});
