import { beforeEach, expect, it, vi } from 'vitest';
import { readMeter } from '#app/domain/meters/read-meter.server.ts';
import { codedMeter } from '#tests/support/coded-meter.ts';
import type { EngineResult } from '#app/domain/meters/engine/result.ts';
import type { EngineRequest } from '#app/domain/meters/engine/worker.ts';

const crop = vi.hoisted(() => ({ wider: undefined as string | undefined }));
vi.mock('#app/domain/meters/engine.server.ts', async () => {
  const engine = await import('#tests/support/fake-engine.ts');
  const runEngine = async (request: EngineRequest): Promise<EngineResult> => {
    const { best, ...result } = await engine.runEngine(request);
    return {
      ...result,
      ...(best && { best: { ...best, isCutOff: crop.wider !== undefined && crop.wider !== best.digits } }),
    };
  };
  return { ...engine, runEngine };
});

beforeEach(() => {
  crop.wider = undefined;
});

const confidenceWith = async (wider: string | undefined, lastReading?: string) => {
  crop.wider = wider;
  const known = { meterType: 'hobbs' as const, ...(lastReading !== undefined && { lastReading }) };
  const reading = await readMeter(await codedMeter('12345'), known);
  expect(reading.detectedText).toBe('1234.5');
  return reading.confidence;
};

it('a reading of which a wider crop shows further figures, or other ones, is never of High confidence (B981)', async () => {
  expect(await confidenceWith('12345')).toBeGreaterThan(0.8);
  expect(await confidenceWith(undefined)).toBeGreaterThan(0.8);
  expect(await confidenceWith('123456')).toBeLessThan(0.8);
  expect(await confidenceWith('12348')).toBeLessThan(0.8);
});

it('a wider crop does not count against a reading that fits the last one (B981)', async () => {
  expect(await confidenceWith('123456', '1233.9')).toBeGreaterThan(0.8);
  expect(await confidenceWith('123456', '2233.9')).toBeLessThan(0.8);
});
