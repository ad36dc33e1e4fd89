import { meanProbability } from './ctc.ts';
import type { MeterContext } from './meter-context.ts';
import type { DetectedMeter } from './reader.ts';

export interface ExpectedReading {
  /** Hours as '1234.5'. */
  reading: string;
  probability: number;
  /** Probability of the reading, with the prior of the last one. */
  share: number;
  near: boolean;
}

type Candidate = Omit<ExpectedReading, 'share'> & { weight: number };

const TENTHS_AHEAD = 120;
const DISTANT_PRIOR = 0.02;
const SHIFTED_DECIMAL_PRIOR = 0.2;

/** Returns digits as hours: '012345' is '1234.5'. */
export function digitsToHours(digits: string, decimals = 1): string {
  const padded = digits.padStart(decimals + 1, '0');
  const whole = padded.slice(0, padded.length - decimals).replace(/^0+(?=\d)/, '');
  return decimals === 0 ? whole : `${whole}.${padded.slice(-decimals)}`;
}

/** Finds the likeliest reading given the last one; undefined without one. It tries other decimal places, too. */
export function findExpectedReading(sighting: DetectedMeter, known: MeterContext): ExpectedReading | undefined {
  if (known.lastReading === undefined) return undefined;
  const last = Number(known.lastReading);
  const candidates = candidatesSoonAfter(sighting, last, known.digits);
  const free = { reading: digitsToHours(sighting.digits), probability: sighting.probability };
  if (!candidates.some(({ reading }) => reading === free.reading)) {
    candidates.push({ ...free, near: false, weight: DISTANT_PRIOR }, ...candidatesWithShiftedDecimal(sighting, last));
  }
  const total = candidates.reduce((sum, { weight, probability }) => sum + weight * probability, 0);
  const best = candidates.reduce((a, b) => (b.weight * b.probability > a.weight * a.probability ? b : a));
  const { weight, ...expected } = best;
  return { ...expected, share: total > 0 ? (weight * best.probability) / total : 0 };
}

/** Sorts two counters of a photo: the one that fits the last reading comes first, else the one that was read better. */
export function sortByFit(
  best: DetectedMeter,
  other: DetectedMeter | undefined,
  known: MeterContext,
): [DetectedMeter, DetectedMeter | undefined] {
  const { lastReading } = known;
  const fits = (one: DetectedMeter) => lastReading !== undefined && isSoonAfter(digitsToHours(one.digits), lastReading);
  return other && fits(other) && !fits(best) ? [other, best] : [best, other];
}

export function isSoonAfter(reading: string, lastReading: string): boolean {
  const [hours, last] = [Number(reading), Number(lastReading)];
  return hours >= Math.floor(last * 10 + 1e-6) / 10 && hours <= last + TENTHS_AHEAD / 10;
}

function candidatesSoonAfter({ digits: { length }, steps }: DetectedMeter, last: number, known?: number): Candidate[] {
  const from = Math.floor(last * 10 + 1e-6);
  // The counts differ, because a digit may be missed, or something beside the meter taken for one.
  const lengths = known === undefined ? [length - 1, length, length + 1] : [known];
  return Array.from({ length: TENTHS_AHEAD + 1 }, (_, ahead) => String(from + ahead)).map((tenths) => {
    const spellings = lengths.filter((one) => one >= tenths.length).map((one) => tenths.padStart(one, '0'));
    const probability = Math.max(0, ...spellings.map((one) => meanProbability(steps, one)));
    return { reading: digitsToHours(tenths), probability, near: true, weight: 1 };
  });
}

function candidatesWithShiftedDecimal({ digits, probability }: DetectedMeter, last: number): Candidate[] {
  return [0, 2]
    .map((decimals) => digitsToHours(digits, decimals))
    .filter((reading) => Number(reading) >= Math.floor(last) && Number(reading) <= last + TENTHS_AHEAD / 10)
    .map((reading) => ({ reading, probability, near: true, weight: SHIFTED_DECIMAL_PRIOR }));
}
