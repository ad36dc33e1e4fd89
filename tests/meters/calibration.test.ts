import { describe, expect, it } from 'vitest';
import { SYMBOLS_PER_STEP } from '#app/domain/meters/engine/ctc.ts';
import { rotatedRectangle } from '#app/domain/meters/engine/geometry.ts';
import { toEvidence } from '#app/domain/meters/engine/result.ts';
import { type Example, fitConfidence } from '../../scripts/calibrate/fit.ts';

/** A counter '12' whose last figure has this share against a 3; it shows the other one as often as that says. */
function example(share: number, at: number): Example {
  const step = (shares: Record<number, number>) =>
    Array.from({ length: SYMBOLS_PER_STEP }, (_, symbol) => Math.log(Math.max(shares[symbol] ?? 0, 1e-7)));
  const steps = Float32Array.from([
    ...step({ 0: 1 }),
    ...step({ 2: 1 }),
    ...step({ 0: 1 }),
    ...step({ 3: share, 4: 1 - share }),
  ]);
  const seen = {
    quad: rotatedRectangle([0, 0], 6, 1, 0),
    digits: '12',
    probability: share,
    finder: 1,
    closer: 1,
    steps: [steps],
  };
  return { evidence: toEvidence(seen, 0, {}), truth: (at * 0.618) % 1 < share ? '12' : '13' };
}

describe('the fit of the confidence', () => {
  const shares = [0.55, 0.65, 0.75, 0.85, 0.95, 0.99];
  const fit = fitConfidence(shares.flatMap((share) => Array.from({ length: 100 }, (_, at) => example(share, at))));

  it('the line of the confidence rises with the evidence and says how often that was right (B1318)', () => {
    const says = fit.free.map(([, right = 0]) => right);
    expect(says).toEqual(says.toSorted((a, b) => a - b));
    expect(says[0]).toBeCloseTo(0.55, 1);
    expect(says.at(-1)).toBeCloseTo(0.98, 1);
  });

  it('a surer last figure counts for more in the fit (B1318)', () => {
    expect(fit.last.share).toBeGreaterThan(0.5);
  });
});
