import { afterAll, expect, it, vi } from 'vitest';
import { readMeter } from '#app/domain/meters/read-meter.server.ts';
import { stopTesseract } from '#app/domain/meters/tesseract.server.ts';
import { drawMeterPlate } from '#tests/support/pictures.ts';

vi.mock('#app/domain/meters/engine/model-files.server.ts', () => {
  const nowhere = 'no-such-folder/net.onnx';
  return { modelFiles: () => ({ finder: nowhere, closer: nowhere, reader: nowhere }) };
});
afterAll(() => stopTesseract());

it('without the nets Tesseract reads a photo alone, with low confidence', async () => {
  const reading = await readMeter(await drawMeterPlate('1234.5'), { meterType: 'hobbs' });
  expect(reading).toEqual({ detectedText: '1234.5', confidence: expect.any(Number) });
  expect(reading.confidence).toBeLessThan(0.5);
});
