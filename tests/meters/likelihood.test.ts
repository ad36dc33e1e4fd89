import { describe, expect, it } from 'vitest';
import { rotatedRectangle } from '#app/domain/meters/engine/geometry.ts';
import { digitsToHours, chooseFittingReading, isSoonAfter } from '#app/domain/meters/engine/last-reading.ts';
import { estimateConfidence } from '#app/domain/meters/confidence-model.ts';
import { toEvidence } from '#app/domain/meters/engine/result.ts';
import type { MeterContext } from '#app/domain/meters/engine/meter-context.ts';
import { stepsOf } from './steps.ts';

function sighting(shown: readonly string[], digits: string) {
  const quad = rotatedRectangle([0, 0], 6, 1, 0);
  return { quad, digits, probability: 0.6, finder: 1, closer: 1, steps: [stepsOf(shown)] };
}

describe('the last reading', () => {
  it('the last reading decides between two digits that are as likely by the photo', () => {
    const seen = sighting(['0', '1', '2', '8:0.6/3', '4', '5'], '012845');
    expect(chooseFittingReading(seen, { lastReading: '1233.9' })).toMatchObject({ reading: '1234.5', near: true });
  });

  it('the last reading finds a drum that the photo alone reads twice or overlooks', () => {
    const seen = sighting(['0', '1', '1', '4', '7', '9'], '01149');
    expect(chooseFittingReading(seen, { lastReading: '1146.5' })).toMatchObject({ reading: '1147.9', near: true });
  });

  it('the last reading does not change a photo that is clear', () => {
    const seen = { ...sighting(['0', '1', '2', '8', '4', '5'], '012845'), probability: 0.99 };
    expect(chooseFittingReading(seen, { lastReading: '1233.9' })).toMatchObject({ reading: '1284.5', near: false });
  });

  it('a reading is soon after the last one from its tenth on, for twelve hours (B675)', () => {
    for (const [reading, last, isSoon] of [
      ['1234.5', '1234.5', true],
      ['1234.5', '1234.58', true],
      ['1246.5', '1234.5', true],
      ['1234.4', '1234.5', false],
      ['1246.6', '1234.5', false],
    ] as const)
      expect(isSoonAfter(reading, last), `${reading} after ${last}`).toBe(isSoon);
  });

  it('without a last reading there is no expected reading', () => {
    expect(chooseFittingReading(sighting(['1'], '1'), {})).toBeUndefined();
  });

  it('the last reading corrects a last drum that was not seen, and hundredths, by a factor of ten (C06)', () => {
    for (const [digits, reading] of [
      ['01234', '1234'],
      ['123456', '1234.56'],
    ] as const) {
      const seen = { ...sighting([...digits], digits), probability: 0.99 };
      const known = { lastReading: '1233.9' };
      expect(chooseFittingReading(seen, known)).toMatchObject({ reading, near: true });
      expect(toEvidence(seen, 0, known)).toMatchObject({ reading, freeReading: digitsToHours(digits) });
    }
  });

  it('digits that are near the last reading both with and without tenths are read with tenths', () => {
    const seen = { ...sighting(['0', '0', '0', '7'], '0007'), probability: 0.99 };
    expect(chooseFittingReading(seen, { lastReading: '0.5' })).toMatchObject({ reading: '0.7', near: true });
  });

  it('a meter can show what is near the last reading, or below the highest one where that is known (B1312)', () => {
    for (const [reading, highestReading, isPossible] of [
      ['62.0', undefined, false],
      ['5549.0', undefined, true],
      ['5560.0', '5555.0', true],
      ['5600.0', '5590.0', false],
      ['5600.0', '5620.0', true],
      ['9600.0', undefined, true],
    ] as const) {
      const digits = reading.replace('.', '');
      const seen = { ...sighting([...digits], digits), probability: 0.99 };
      const known = { lastReading: '5549.8', ...(highestReading && { highestReading }) };
      expect(chooseFittingReading(seen, known), `${reading} up to ${highestReading}`).toMatchObject({
        reading,
        isPossible,
      });
    }
  });
});

describe('the confidence', () => {
  const estimate = (shown: readonly string[], digits: string, known: MeterContext = {}) =>
    estimateConfidence(toEvidence({ ...sighting(shown, digits), probability: 0.6 }, 0, known), known.digits);

  it('the last reading lifts the figures before the last one, and never the last one (B1311)', () => {
    const [front, last] = [
      ['1', '2:0.6/7', '3', '4', '5'],
      ['1', '2', '3', '4', '5:0.6/6'],
    ] as const;
    const known = { lastReading: '1233.1' };
    expect(estimate(front, '12345', known).confidence).toBeGreaterThan(estimate(front, '12345').confidence);
    expect(estimate(last, '12345', known)).toMatchObject({ isLastSure: false });
    expect(estimate(last, '12345', known).confidence).toBeLessThan(0.8);
  });

  it('a counter whose figures are all clear is of High confidence, with a last reading and without (B1311)', () => {
    const clear = ['1', '2', '3', '4', '5'];
    for (const known of [{}, { lastReading: '1233.1' }]) {
      expect(estimate(clear, '12345', known).confidence).toBeGreaterThan(0.9);
      expect(estimate(clear, '12345', known).isLastSure).toBe(true);
    }
  });

  it('a reading far from the last one, or of another number of digits than before, is less certain (C06)', () => {
    const clear = ['1', '2', '3', '4', '5'];
    const free = estimate(clear, '12345').confidence;
    expect(estimate(clear, '12345', { lastReading: '5000.0' }).confidence).toBeLessThan(free);
    expect(estimate(clear, '12345', { digits: 6 }).confidence).toBeLessThan(free);
  });
});
