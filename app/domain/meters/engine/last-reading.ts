import { type CtcOutput, meanProbability, possibleDigits } from './ctc.ts';
import type { MeterContext } from './meter-context.ts';

export interface DecodedDigits {
  digits: string;
  /** Mean probability over the crops. */
  probability: number;
  steps: CtcOutput[];
}

export interface FittingReading {
  /** Hours as '1234.5'. */
  reading: string;
  /** The figures of the counter, leading zeros included. */
  digits: string;
  probability: number;
  /** Probability of the reading, with the prior of the last one. */
  share: number;
  /** Probability of all readings with the same figures before the last one. */
  front: number;
  near: boolean;
  /** False below the last reading, and above what can have been flown since. */
  isPossible: boolean;
}

interface Candidate {
  reading: string;
  digits: string;
  probability: number;
  weight: number;
  near: boolean;
}

const TENTHS_AHEAD = 120;
const DISTANT_PRIOR = 0.02;
const IMPOSSIBLE_PRIOR = 0.002;
const SHIFTED_DECIMAL_PRIOR = 0.2;
/** Hours below the last reading that are possible, because that one may be a slip. */
const SLIP_HOURS = 1;

/** Returns digits as hours: '012345' is '1234.5'. */
export function digitsToHours(digits: string, decimals = 1): string {
  const padded = digits.padStart(decimals + 1, '0');
  const whole = padded.slice(0, padded.length - decimals).replace(/^0+(?=\d)/, '');
  return decimals === 0 ? whole : `${whole}.${padded.slice(-decimals)}`;
}

/** Finds the likeliest reading given the last one; undefined without one. It tries other decimal places, too. */
export function chooseFittingReading(seen: DecodedDigits, known: MeterContext): FittingReading | undefined {
  if (known.lastReading === undefined) return undefined;
  const candidates = candidatesSoonAfter(seen, known.lastReading, known.digits);
  const free = freeCandidate(seen, known);
  if (!candidates.some(({ reading }) => reading === free.reading)) {
    candidates.push(free, ...candidatesWithShiftedDecimal(seen, Number(known.lastReading)));
  }
  const weigh = (some: Candidate[]) => some.reduce((sum, { weight, probability }) => sum + weight * probability, 0);
  const best = candidates.reduce((a, b) => (b.weight * b.probability > a.weight * a.probability ? b : a));
  const unnamed = Math.max(0, 1 - candidates.reduce((sum, { probability }) => sum + probability, 0));
  const total = weigh(candidates) + DISTANT_PRIOR * unnamed;
  const alike = candidates.filter(({ reading }) => reading.slice(0, -1) === best.reading.slice(0, -1));
  const { weight, ...expected } = best;
  const shares = { share: (weight * best.probability) / total, front: weigh(alike) / total };
  return { ...expected, ...shares, isPossible: isPossible(best.reading, known) };
}

/** Returns the probability of a counter's digits, with the prior of the last reading where there is one. */
export function probabilityWithPrior(seen: DecodedDigits, known: MeterContext): number {
  if (known.lastReading === undefined) return seen.probability;
  const candidates = [...candidatesSoonAfter(seen, known.lastReading, known.digits), freeCandidate(seen, known)];
  return Math.max(...candidates.map(({ weight, probability }) => weight * probability));
}

export function isSoonAfter(reading: string, lastReading: string): boolean {
  const [hours, last] = [Number(reading), Number(lastReading)];
  return hours >= Math.floor(last * 10 + 1e-6) / 10 && hours <= last + TENTHS_AHEAD / 10;
}

function isPossible(reading: string, { lastReading, highestReading }: MeterContext): boolean {
  if (lastReading === undefined || isSoonAfter(reading, lastReading)) return true;
  const hours = Number(reading);
  return hours >= Number(lastReading) - SLIP_HOURS && !(hours > Number(highestReading));
}

function freeCandidate({ digits, probability }: DecodedDigits, known: MeterContext): Candidate {
  const reading = digitsToHours(digits);
  const weight = isPossible(reading, known) ? DISTANT_PRIOR : IMPOSSIBLE_PRIOR;
  return { reading, digits, probability, near: false, weight };
}

function candidatesSoonAfter(
  { digits: { length }, steps }: DecodedDigits,
  lastReading: string,
  known?: number,
): Candidate[] {
  const from = Math.floor(Number(lastReading) * 10 + 1e-6);
  // The counts differ, because a digit may be missed, or something beside the meter taken for one.
  const lengths = known === undefined ? [length - 1, length, length + 1] : [known];
  const shown = possibleDigits(steps);
  return Array.from({ length: TENTHS_AHEAD + 1 }, (_, ahead) => String(from + ahead)).flatMap((tenths) => {
    const spellings = lengths.filter((one) => one >= tenths.length).map((one) => tenths.padStart(one, '0'));
    const likely = spellings.filter((one) => [...one].every((digit) => shown.has(digit)));
    if (likely.length === 0) return [];
    const spelled = likely.map((digits) => ({ digits, probability: meanProbability(steps, digits) }));
    const best = spelled.reduce((a, b) => (b.probability > a.probability ? b : a));
    return { ...best, reading: digitsToHours(tenths), near: true, weight: 1 };
  });
}

function candidatesWithShiftedDecimal({ digits, probability }: DecodedDigits, last: number): Candidate[] {
  return [0, 2]
    .map((decimals) => digitsToHours(digits, decimals))
    .filter((reading) => Number(reading) >= Math.floor(last) && Number(reading) <= last + TENTHS_AHEAD / 10)
    .map((reading) => ({ reading, digits, probability, near: true, weight: SHIFTED_DECIMAL_PRIOR }));
}
