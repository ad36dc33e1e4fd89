import { meanProbability } from './ctc.ts';
import { type FigureReading, lastNeighbour, alternativeDigitStrings, readFigures } from './figures.ts';
import type { GrayscaleImage } from './grayscale.ts';
import { digitsToHours, type FittingReading, chooseFittingReading } from './last-reading.ts';
import type { MeterContext } from './meter-context.ts';
import type { DetectedMeter } from './reader.ts';

/** The reading of a photo; no meter was located if `best` is left out. */
export interface EngineResult {
  best?: MeterEvidence & { strip: GrayscaleImage };
  /** Figures of another counter in the photo. */
  other?: string | undefined;
}

/** The evidence for the counter that was read. */
export interface MeterEvidence {
  /** Its figures, which the last reading may have decided. */
  digits: string;
  reading: string;
  /** The reading that the photo alone shows. */
  freeReading: string;
  figures: FigureReading[];
  /** The other figure that the last drum shows if it stands between two. */
  lastNeighbour: string | undefined;
  /** Probability of all figures but the last: by the photo alone, and with the last reading where it is near. */
  front: number;
  /** How like a counter it looks from near. */
  closer: number;
  /** Weight of the likeliest other counter. */
  rival: number;
  /** True if a crop that reaches one figure further to the right shows other figures. */
  isCutOff: boolean;
  expected?: FittingReading | undefined;
}

/** Weighs what was seen of a counter against the last reading. */
export function toEvidence(seen: DetectedMeter, rival: number, known: MeterContext): MeterEvidence {
  const expected = chooseFittingReading(seen, known);
  const digits = expected?.digits ?? seen.digits;
  const freeReading = digitsToHours(seen.digits);
  const front = frontProbability(seen, digits);
  return {
    digits,
    reading: expected?.reading ?? freeReading,
    freeReading,
    figures: readFigures(seen.steps, digits),
    lastNeighbour: lastNeighbour(seen.steps, digits),
    front: expected?.near ? expected.front : front,
    closer: seen.closer,
    rival,
    isCutOff: seen.wider !== undefined && seen.wider !== digits,
    expected,
  };
}

function frontProbability({ steps }: DetectedMeter, digits: string): number {
  const same = [digits, ...alternativeDigitStrings(digits, digits.length - 1, '0123456789')];
  return same.reduce((sum, one) => sum + meanProbability(steps, one), 0);
}
