import { meanProbability, type CtcOutput, possibleDigits } from './ctc.ts';

export interface FigureReading {
  figure: string;
  /** Probability against any other figure in its place, 0 to 1. */
  share: number;
  other: string | undefined;
}

export function readFigures(steps: CtcOutput[], digits: string): FigureReading[] {
  const probability = meanProbability(steps, digits);
  const seen = possibleDigits(steps);
  return [...digits].map((figure, at) => {
    const others = alternativeDigitStrings(digits, at, seen).map((other) => ({
      figure: other[at],
      probability: meanProbability(steps, other),
    }));
    const total = others.reduce((sum, other) => sum + other.probability, probability);
    const [likeliest] = others.toSorted((a, b) => b.probability - a.probability);
    return { figure, share: total > 0 ? probability / total : 0, other: likeliest?.figure };
  });
}

/** Returns the figure before or after the last one on its drum, whichever the counter is likelier to show. */
export function lastNeighbour(steps: CtcOutput[], digits: string): string | undefined {
  const turned = turnedByOne(digits).map((one) => ({ one, probability: meanProbability(steps, one) }));
  return turned.toSorted((a, b) => b.probability - a.probability)[0]?.one.at(-1);
}

/** Replaces the figure by each other one; a last drum that rolls from 9 to 0 takes those before it along. */
export function alternativeDigitStrings(digits: string, at: number, seen: Iterable<string>): string[] {
  const replaced = [...seen]
    .filter((symbol) => symbol !== digits[at])
    .map((symbol) => digits.slice(0, at) + symbol + digits.slice(at + 1));
  return at === digits.length - 1 ? [...new Set([...replaced, ...turnedByOne(digits)])] : replaced;
}

function turnedByOne(digits: string): string[] {
  return [-1, 1]
    .map((turn) => String(Number(digits) + turn).padStart(digits.length, '0'))
    .filter((other) => /^\d+$/.test(other) && other.length === digits.length);
}
