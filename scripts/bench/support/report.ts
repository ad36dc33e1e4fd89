import { loadavg } from 'node:os';
import { aboveLimits, exitCodeOf, type Finding } from './figures.ts';

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
