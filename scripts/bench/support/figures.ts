export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [upper = 0, lower = upper] = [sorted[middle], sorted[middle - 1]];
  return sorted.length % 2 === 0 ? (lower + upper) / 2 : upper;
}

export interface Ratio {
  ratio: number;
  /** Distance between the ratios of the odd and the even rounds, as a part of the ratio. */
  spread: number;
}

/** Returns the median of the rounds' ratios: what slowed a round slowed both sides of it. */
export function ratioOf(own: readonly number[], other: readonly number[]): Ratio {
  const ratios = own.map((cost, round) => cost / (other[round] ?? NaN));
  const ratio = median(ratios);
  const half = (remainder: number) => median(ratios.filter((_, round) => round % 2 === remainder));
  return { ratio, spread: ratios.length < 2 ? 0 : Math.abs(half(0) - half(1)) / ratio };
}

export interface Finding {
  what: string;
  value: number;
  limit: number;
}

/** Returns the findings above their limits; NaN, for what could not be measured, is above every limit. */
export function aboveLimits(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ value, limit }) => !(value <= limit));
}

/** Only `npm run bench -- <name> check` fails: without it a bench says what it saw. */
export function exitCodeOf(findings: readonly Finding[], args: readonly string[]): 0 | 1 {
  return args.includes('check') && aboveLimits(findings).length > 0 ? 1 : 0;
}
