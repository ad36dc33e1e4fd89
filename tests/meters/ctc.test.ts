import { describe, expect, it } from 'vitest';
import { greedyDecode, beamSearch, logProbability, SYMBOLS_PER_STEP } from '#app/domain/meters/engine/ctc.ts';
import { fc } from '#tests/support/properties.ts';

/** Steps that show these symbols (-1 for a blank), each with `sure` of its probability. */
function steps(symbols: number[], sure = 0.99): Float32Array {
  const rest = Math.log((1 - sure) / (SYMBOLS_PER_STEP - 1));
  return Float32Array.from(
    symbols.flatMap((symbol) =>
      Array.from({ length: SYMBOLS_PER_STEP }, (_, at) => (at === symbol + 1 ? Math.log(sure) : rest)),
    ),
  );
}

describe('decoding the reader’s steps', () => {
  it('the best path through the steps drops blanks and repeats, and keeps doubles with a blank between', () => {
    expect(greedyDecode(steps([-1, 1, 1, -1, 2, -1, 2, 3, -1]))).toBe('1223');
  });

  it('the probability of a string is the sum over all paths that spell it', () => {
    const two = steps([4, 4], 0.6);
    const p = 0.6;
    const q = 0.4 / (SYMBOLS_PER_STEP - 1);
    // 4 4, 4 blank, blank 4.
    expect(Math.exp(logProbability(two, '4'))).toBeCloseTo(p * p + 2 * p * q, 6);
    expect(Math.exp(logProbability(two, ''))).toBeCloseTo(q * q, 6);
  });

  it('the probabilities of all strings of two steps add up to one', () => {
    const two = steps([7, -1], 0.5);
    const digits = [...'0123456789'];
    const strings = ['', ...digits, ...digits.flatMap((a) => digits.map((b) => a + b))];
    const total = strings.reduce((sum, one) => sum + Math.exp(logProbability(two, one)), 0);
    expect(total).toBeCloseTo(1, 6);
  });

  it('digits that are shown clearly are the likeliest string', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 7 }), (digits) => {
        const shown = steps(digits.flatMap((digit) => [-1, digit, digit]));
        expect(beamSearch(shown)[0]).toBe(digits.join(''));
        expect(greedyDecode(shown)).toBe(digits.join(''));
      }),
      { numRuns: 30 },
    );
  });

  it('a drum between two digits is offered as both', () => {
    const shown = steps([-1, 5, -1]);
    shown[SYMBOLS_PER_STEP + 1 + 5] = Math.log(0.5);
    shown[SYMBOLS_PER_STEP + 1 + 6] = Math.log(0.45);
    expect(beamSearch(shown).slice(0, 2)).toEqual(['5', '6']);
  });
});
