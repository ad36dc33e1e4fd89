import { describe, expect, it } from 'vitest';
import { SYMBOLS_PER_STEP } from '#app/domain/meters/engine/ctc.ts';
import { rotatedRectangle } from '#app/domain/meters/engine/geometry.ts';
import { digitsToHours, findExpectedReading, isSoonAfter } from '#app/domain/meters/engine/last-reading.ts';
import {
  boostForAgreement,
  penalizeDigitCount,
  combineWithExpectedReading,
} from '#app/domain/meters/confidence-model.ts';

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
  return { quad, digits, probability: 0.6, second: 0.4, finder: 1, closer: 1, agree: 1, steps: [stepsOf(shown)] };
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
    expect(
      combineWithExpectedReading(
        { detectedText: digitsToHours(digits), confidence: 0.99 },
        findExpectedReading(seen, { lastReading: '1233.9' }),
      ),
    ).toMatchObject({ detectedText: reading, otherText: digitsToHours(digits), confidence: expect.closeTo(0.79) });
  });

  it('digits that are near the last reading both with and without tenths are read with tenths', () => {
    const seen = { ...sighting(['0', '0', '0', '7'], '0007'), probability: 0.99 };
    expect(findExpectedReading(seen, { lastReading: '0.5' })).toMatchObject({ reading: '0.7', near: true });
  });

  it('a reading with another number of digits than the meter has shown has less confidence', () => {
    expect(penalizeDigitCount(0.9)).toBeLessThan(0.8);
  });

  it('a reading changed by the last reading keeps the other text and stays below High', () => {
    const free = { detectedText: '1284.5', confidence: 0.9 };
    const expected = { reading: '1234.5', probability: 0.4, share: 0.97, near: true };
    const reading = combineWithExpectedReading(free, expected);
    expect(reading).toMatchObject({ detectedText: '1234.5', otherText: '1284.5' });
    expect(reading.confidence).toBeLessThan(0.8);
  });

  it('a reading near the last one has more confidence, one far from it less', () => {
    const free = { detectedText: '1234.5', confidence: 0.7 };
    const same = { reading: '1234.5', probability: 0.6, share: 0.99 };
    expect(combineWithExpectedReading(free, { ...same, near: true }).confidence).toBeGreaterThan(0.8);
    expect(combineWithExpectedReading(free, { ...same, near: false }).confidence).toBeLessThan(0.7);
  });
});

describe('the cross-check by Tesseract', () => {
  it('agreement by Tesseract raises the confidence, never to certainty', () => {
    expect(boostForAgreement(0.7)).toBeGreaterThan(0.7);
    expect(boostForAgreement(0.99)).toBeLessThan(1);
  });
});
