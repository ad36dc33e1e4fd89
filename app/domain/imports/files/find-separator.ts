const SEPARATORS = [',', ';', '\t', '|'] as const;
const SAMPLE_LINES = 50;

/** The one that divides most lines into as many cells; a comma where none does. */
export function findSeparator(text: string): string {
  const scores = SEPARATORS.map((separator) => ({ separator, score: scoreOf(countInLines(text, separator)) }));
  const best = scores.reduce((former, next) => (next.score > former.score ? next : former));
  return best.score > 0 ? best.separator : ',';
}

/** How often it stands in each line that is not empty, outside of quotes. */
function countInLines(text: string, separator: string): number[] {
  const counts: number[] = [];
  let [count, quoted, filled] = [0, false, false];
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    if (character === '\n' && !quoted) {
      if (filled) counts.push(count);
      if (counts.length >= SAMPLE_LINES) return counts;
      [count, filled] = [0, false];
    } else if (character === separator && !quoted) count += 1;
    filled ||= character !== '\n' && character !== '\r';
  }
  if (filled) counts.push(count);
  return counts;
}

/** Lines of the most usual width, the wider the better; titles and decimal commas are of other widths. */
function scoreOf(counts: number[]): number {
  const lines = new Map<number, number>();
  for (const count of counts) if (count > 0) lines.set(count, (lines.get(count) ?? 0) + 1);
  const [width, times] = [...lines].reduce((best, next) => (next[1] > best[1] ? next : best), [0, 0]);
  return (times / Math.max(1, counts.length)) * (1 + Math.log2(1 + width));
}
