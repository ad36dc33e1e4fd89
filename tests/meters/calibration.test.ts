import { describe, expect, it } from 'vitest';
import { rotatedRectangle } from '#app/domain/meters/engine/geometry.ts';
import { toEvidence } from '#app/domain/meters/engine/result.ts';
import { type Example, fitConfidence } from '../../scripts/calibrate/fit.ts';
import { stepsOf } from './steps.ts';

/** A counter '12' whose last figure has this share against a 3; it shows the other one as often as that says. */
function example(share: number, at: number): Example {
  const quad = rotatedRectangle([0, 0], 6, 1, 0);
  const steps = [stepsOf(['1', `2:${share}/3`])];
  const seen = { quad, digits: '12', probability: share, finder: 1, closer: 1, steps };
  return { evidence: toEvidence(seen, 0, {}), truth: (at * 0.618) % 1 < share ? '12' : '13' };
}

describe('the fit of the confidence', () => {
  const shares = [0.55, 0.65, 0.75, 0.85, 0.95, 0.99];
  const fit = fitConfidence(shares.flatMap((share) => Array.from({ length: 100 }, (_, at) => example(share, at))));

  it('the fitted confidence rises with the evidence, says how often it was right, and weighs the last figure (B1318)', () => {
    const says = fit.free.map(([, right = 0]) => right);
    expect(says).toEqual(says.toSorted((a, b) => a - b));
    expect(says[0]).toBeCloseTo(0.55, 1);
    expect(says.at(-1)).toBeCloseTo(0.98, 1);
    expect(fit.last.share).toBeGreaterThan(0.5);
  });
});
