import { loadavg } from 'node:os';

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [upper = 0, lower = upper] = [sorted[middle], sorted[middle - 1]];
  return sorted.length % 2 === 0 ? (lower + upper) / 2 : upper;
}

interface Ratio {
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
function aboveLimits(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ value, limit }) => !(value <= limit));
}

/** Only `npm run bench -- <name> check` fails: without it a bench says what it saw. */
export function exitCodeOf(findings: readonly Finding[], args: readonly string[]): 0 | 1 {
  return args.includes('check') && aboveLimits(findings).length > 0 ? 1 : 0;
}

export function loadText(): string {
  return `load average ${loadavg()
    .map((each) => each.toFixed(1))
    .join(', ')}`;
}

/** Prints columns as wide as their widest cell, all but the first aligned to the right. */
export function printTable(head: string[], rows: string[][]): void {
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: string[]) =>
    `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(' | ')} |`;
  console.log(line(head));
  console.log(`| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
  for (const row of rows) console.log(line(row));
}

/** Names the findings above their limit, which fail a run that has `check` among its arguments. */
export function reportFindings(findings: readonly Finding[], args: readonly string[]): void {
  const above = aboveLimits(findings);
  for (const { what, value, limit } of above)
    console.log(`Above its limit: ${what}: ${format(value)}, at most ${limit}`);
  console.log(`${findings.length - above.length} of ${findings.length} within their limits; ${loadText()}`);
  process.exitCode = exitCodeOf(findings, args);
}

function format(value: number): string {
  return Number.isNaN(value) ? 'could not be measured' : String(Number(value.toPrecision(3)));
}

export function percent(part: number): string {
  return `${(100 * part).toFixed(0)} %`;
}

/** Processor time of the product's process, as a multiple of the peer's in the same rounds. */
export const PEER_LIMITS = {
  'page of 50 rows': { 'Next.js': 0.55, 'Fastify + EJS': 2.7 },
  'the same, compressed': { 'Next.js': 0.65 },
  'page without data': { 'Fastify + EJS': 0.8 },
  'JSON, 50 flights': { 'Express + pg': 2 },
  'JSON, 20 aircraft': { 'Express + pg': 1.6 },
  'JSON, 200 users': { 'Express + pg': 2 },
  '/healthz': { 'node:http': 4 },
} as const;

/** Limit for the difference between runs; no ratio holds above it. */
export const MAX_SPREAD = 0.1;

/** Processor time at a million flights, process and Postgres together, as a multiple of that at a thousand. */
export const MAX_GROWTH = 1.3;
export const MAX_FLIGHT_DETAILS_STATEMENTS = 5;
export const MAX_DETAILS_POSTGRES_MS = 3;
