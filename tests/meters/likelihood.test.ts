import { describe, expect, it } from 'vitest';
import { SYMBOLS_PER_STEP } from '#app/domain/meters/engine/ctc.ts';
import { rotatedRectangle } from '#app/domain/meters/engine/geometry.ts';
import { digitsToHours, findExpectedReading, isSoonAfter } from '#app/domain/meters/engine/last-reading.ts';
import { estimateConfidence } from '#app/domain/meters/confidence-model.ts';
import { toEvidence } from '#app/domain/meters/engine/result.ts';
import type { MeterContext } from '#app/domain/meters/engine/meter-context.ts';

/** Steps that spell the digits; where two are given, the first has 0.6 of the probability and the other 0.4. */
function stepsOf(shown: string[]): Float32Array {
  const blank = distribution({ 0: 1 });
  return Float32Array.from(
    shown.flatMap((digit) => {
      const [a = '0', b] = digit.split('/');
      return [
        ...blank,
        ...distribution(b === undefined ? { [Number(a) + 1]: 1 } : { [Number(a) + 1]: 0.6, [Number(b) + 1]: 0.4 }),
      ];
    }),
  );
}

function distribution(shares: Record<number, number>): number[] {
  return Array.from({ length: SYMBOLS_PER_STEP }, (_, at) => Math.log(Math.max(shares[at] ?? 0, 1e-7)));
}

function sighting(shown: string[], digits: string) {
  const quad = rotatedRectangle([0, 0], 6, 1, 0);
  return { quad, digits, probability: 0.6, finder: 1, closer: 1, steps: [stepsOf(shown)] };
}

describe('the last reading', () => {
  it('the last reading decides between two digits that are as likely by the photo', () => {
    const seen = sighting(['0', '1', '2', '8/3', '4', '5'], '012845');
    expect(findExpectedReading(seen, { lastReading: '1233.9' })).toMatchObject({ reading: '1234.5', near: true });
  });

  it('the last reading finds a drum that the photo alone reads twice or overlooks', () => {
    const seen = sighting(['0', '1', '1', '4', '7', '9'], '01149');
    expect(findExpectedReading(seen, { lastReading: '1146.5' })).toMatchObject({ reading: '1147.9', near: true });
  });

  it('the last reading does not change a photo that is clear', () => {
    const seen = { ...sighting(['0', '1', '2', '8', '4', '5'], '012845'), probability: 0.99 };
    expect(findExpectedReading(seen, { lastReading: '1233.9' })).toMatchObject({ reading: '1284.5', near: false });
  });

  it.each([
    ['1234.5', '1234.5', true],
    ['1234.5', '1234.58', true],
    ['1246.5', '1234.5', true],
    ['1234.4', '1234.5', false],
    ['1246.6', '1234.5', false],
  ])('%s is within twelve hours after %s: %s', (reading, last, isSoon) => {
    expect(isSoonAfter(reading, last)).toBe(isSoon);
  });

  it('without a last reading there is no expected reading', () => {
    expect(findExpectedReading(sighting(['1'], '1'), {})).toBeUndefined();
  });

  it.each([
    ['a last drum that was not seen', '01234', '1234'],
    ['a meter that shows hundredths', '123456', '1234.56'],
  ])('the last reading corrects %s by a factor of ten (C06)', (_what, digits, reading) => {
    const seen = { ...sighting([...digits], digits), probability: 0.99 };
    expect(findExpectedReading(seen, { lastReading: '1233.9' })).toMatchObject({ reading, near: true });
    const known = { lastReading: '1233.9' };
    expect(toEvidence(seen, 0, known)).toMatchObject({ reading, freeReading: digitsToHours(digits) });
  });

  it('digits that are near the last reading both with and without tenths are read with tenths', () => {
    const seen = { ...sighting(['0', '0', '0', '7'], '0007'), probability: 0.99 };
    expect(findExpectedReading(seen, { lastReading: '0.5' })).toMatchObject({ reading: '0.7', near: true });
  });

  it.each([
    ['62.0', { lastReading: '5549.8' }, false],
    ['5549.0', { lastReading: '5549.8' }, true],
    ['5560.0', { lastReading: '5549.8', highestReading: '5555.0' }, true],
    ['5600.0', { lastReading: '5549.8', highestReading: '5590.0' }, false],
    ['5600.0', { lastReading: '5549.8', highestReading: '5620.0' }, true],
    ['9600.0', { lastReading: '5549.8' }, true],
  ])('a meter can show %s where it is known of it %j: %s (B1312)', (reading, known, isPossible) => {
    const digits = reading.replace('.', '');
    const seen = { ...sighting([...digits], digits), probability: 0.99 };
    expect(findExpectedReading(seen, known)).toMatchObject({ reading, isPossible });
  });
});

describe('the confidence', () => {
  const estimate = (shown: string[], digits: string, known: MeterContext = {}) =>
    estimateConfidence(toEvidence({ ...sighting(shown, digits), probability: 0.6 }, 0, known), known.digits);

  it('the last reading lifts the figures before the last one, and never the last one (B1311)', () => {
    const [front, last] = [
      ['1', '2/7', '3', '4', '5'],
      ['1', '2', '3', '4', '5/6'],
    ] as const;
    const known = { lastReading: '1233.1' };
    expect(estimate([...front], '12345', known).confidence).toBeGreaterThan(estimate([...front], '12345').confidence);
    expect(estimate([...last], '12345', known)).toMatchObject({ isLastSure: false });
    expect(estimate([...last], '12345', known).confidence).toBeLessThan(0.8);
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
