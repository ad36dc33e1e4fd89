export const TAPE_WIDTH = 1000;
export const TAPE_HEIGHT = 40;

const MAX_GAP_SHARE = 0.25;
const MIN_GAP_SHARE = 0.03;
const TENTH = 10;
const MAX_TICKS = 150;
const HATCH = 8;

export interface TapeShapes {
  flight: { x: number; width: number };
  /** Path data: one tick each tenth of an hour, or each hour of a long flight; longer at full hours. */
  ticks: string;
  /** Path data: hours that no flight has logged, beside this one. */
  gaps: string;
  /** Path data: hours that a neighbour has logged, too. */
  overlaps: string;
}

/** Draws the flight's hours and the differences to the flights before and after it, all in hundredths of an hour. */
export function tapeShapes(hundredths: number, before: number, after: number): TapeShapes {
  const [left, right] = [gapWidth(before, hundredths), gapWidth(after, hundredths)];
  const width = TAPE_WIDTH - Math.max(left, 0) - Math.max(right, 0);
  const x = Math.max(left, 0);
  const end = x + width;
  return {
    flight: { x, width },
    ticks: ticksPath(hundredths, x, width),
    gaps: hatch(0, left) + hatch(end, end + right),
    overlaps: hatch(x, x - left) + hatch(end + right, end),
  };
}

function gapWidth(difference: number, hundredths: number): number {
  if (difference === 0) return 0;
  const share = Math.abs(difference) / Math.max(hundredths, TENTH);
  return Math.round(Math.sign(difference) * Math.min(Math.max(share, MIN_GAP_SHARE), MAX_GAP_SHARE) * TAPE_WIDTH);
}

function ticksPath(hundredths: number, x: number, width: number): string {
  const step = hundredths / TENTH > MAX_TICKS ? TENTH * TENTH : TENTH;
  const count = Math.min(Math.floor(hundredths / step), MAX_TICKS);
  return Array.from({ length: count + 1 }, (_, index) => {
    const at = Math.round(x + (hundredths === 0 ? 0 : (index * step * width) / hundredths));
    return `M${at} ${TAPE_HEIGHT}v${(index * step) % (TENTH * TENTH) === 0 ? -24 : -12}`;
  }).join('');
}

function hatch(from: number, to: number): string {
  const count = Math.max(Math.floor((to - from) / HATCH), 0);
  return Array.from(
    { length: count },
    (_, index) => `M${from + index * HATCH} ${TAPE_HEIGHT}l${HATCH}-${TAPE_HEIGHT}`,
  ).join('');
}
