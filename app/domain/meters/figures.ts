import type { FigureReading } from './engine/figures.ts';

/** A figure of the counter, leading zeros and tenths included. */
export interface Figure {
  figure: string;
  /** Confidence from 0 to 1, two decimals. */
  confidence: string;
  /** Figure that it may be instead; null if it is not in doubt. */
  other: string | null;
}

// One in four held-back figures was wrong below this, and one in 250 above (docs/decisions/040).
const MIN_SHARE = 0.95;
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'];

interface KnownOfFigures {
  /** Knows what cannot stand in a place, by what is known of the meter. */
  isRuledOut: (at: number, other: string) => boolean;
  /** The figure that the last drum may show instead, if it was judged to stand between two. */
  lastNeighbour?: string | undefined;
}

export function toFiguresWithDoubt(read: FigureReading[], { isRuledOut, lastNeighbour }: KnownOfFigures): Figure[] {
  return read.map(({ figure, share, other }, at) => {
    const isDoubtful = other !== undefined && share < MIN_SHARE && !isRuledOut(at, other);
    const neighbour = at === read.length - 1 ? lastNeighbour : undefined;
    return {
      figure,
      confidence: (Math.floor(share * 100 + 1e-6) / 100).toFixed(2),
      other: isDoubtful ? other : (neighbour ?? null),
    };
  });
}

export function isInDoubt(figures: Figure[]): boolean {
  return figures.some(({ other }) => other !== null);
}

/** Returns 'The last drum stands between 3 and 4.', or null if no figure is in doubt. */
export function doubtText(figures: Figure[]): string | null {
  const texts = figures.flatMap(({ figure, other }, at) => {
    if (other === null) return [];
    if (at < figures.length - 1) return [`The ${ORDINALS[at] ?? `${at + 1}th`} figure may be ${figure} or ${other}.`];
    const [low, high] = inOrder(figure, other);
    return isNext(low, high)
      ? [`The last drum stands between ${low} and ${high}.`]
      : [`The last figure may be ${figure} or ${other}.`];
  });
  return texts.length === 0 ? null : texts.join(' ');
}

/** Returns the figures that a figure in doubt may be, in the order of the drum; none if it is not in doubt. */
export function choicesOf({ figure, other }: Figure): string[] {
  return other === null ? [] : inOrder(figure, other);
}

/** Returns the reading with another last figure; a drum that rolls from 9 to 0 takes those before it along. */
export function withLastFigure(reading: string, figure: string): string {
  const last = reading.slice(-1);
  const turn = isNext(last, figure) ? 1 : isNext(figure, last) ? -1 : Number(figure) - Number(last);
  const [whole = '', decimals = ''] = reading.split('.');
  const figures = String(Number(whole + decimals) + turn).padStart(decimals.length + 1, '0');
  return decimals === '' ? figures : `${figures.slice(0, -decimals.length)}.${figures.slice(-decimals.length)}`;
}

function inOrder(figure: string, other: string): [low: string, high: string] {
  return isNext(other, figure) ? [other, figure] : [figure, other];
}

function isNext(figure: string, other: string): boolean {
  return (Number(figure) + 1) % 10 === Number(other);
}
