import type { FigureReading } from './engine/figures.ts';

/** A figure of the counter, leading zeros and tenths included. */
export interface Figure {
  figure: string;
  /** Confidence from 0 to 1, two decimals. */
  confidence: string;
  /** Figure that it may be instead; null if it is not in doubt. */
  other: string | null;
}

// Of held-back figures one in four was wrong below this, one in 250 above (docs/decisions/040).
const MIN_SHARE = 0.95;
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'];

/** Describes the figures; `isRuledOut` knows those that cannot stand in a place, by what is known of the meter. */
export function toFigures(read: FigureReading[], isRuledOut: (at: number, other: string) => boolean): Figure[] {
  return read.map(({ figure, share, other }, at) => ({
    figure,
    confidence: (Math.floor(share * 100 + 1e-6) / 100).toFixed(2),
    other: other !== undefined && share < MIN_SHARE && !isRuledOut(at, other) ? other : null,
  }));
}

export function isInDoubt(figures: Figure[]): boolean {
  return figures.some(({ other }) => other !== null);
}

/** Returns 'The last drum stands between 3 and 4.', or null if no figure is in doubt. */
export function doubtText(figures: Figure[]): string | null {
  const texts = figures.flatMap(({ figure, other }, at) => {
    if (other === null) return [];
    if (at < figures.length - 1) return [`The ${ORDINALS[at] ?? `${at + 1}th`} figure may be ${figure} or ${other}.`];
    const [low, high] = isNext(figure, other) ? [figure, other] : [other, figure];
    return isNext(low, high)
      ? [`The last drum stands between ${low} and ${high}.`]
      : [`The last figure may be ${figure} or ${other}.`];
  });
  return texts.length === 0 ? null : texts.join(' ');
}

function isNext(figure: string, other: string): boolean {
  return (Number(figure) + 1) % 10 === Number(other);
}
