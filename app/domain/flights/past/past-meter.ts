import { MAX_UNFLAGGED_GAP_HUNDREDTHS } from '#app/limits.ts';
import { hoursBetween, toHundredths } from '../../reading.ts';
import type { MeterNeighbours } from '../correction/meter-correction.ts';

export interface AroundPastFlight extends MeterNeighbours {
  /** Moment when the aircraft's last reading was recorded. */
  lastAt: Date;
}

export interface PastMeter {
  /** Reading before the flight; null if nothing says. */
  before: string | null;
  /** Reading after it, and the name of that reading. */
  after: { reading: string; of: string } | null;
  /** True if no flight and no reading is newer than this flight's end. */
  becomesLast: boolean;
}

/** Places one meter of a flight that is entered between others. */
export function placePastMeter(around: AroundPastFlight, departed: Date, landed: Date): PastMeter {
  const { previousEnd, changesBefore, nextStart, changesAfter, last, lastAt } = around;
  const before = changesBefore.at(-1)?.newFirst ?? previousEnd;
  const isNewest = nextStart === null && changesAfter.length === 0;
  // The last reading was saved from a scan, or recorded with the aircraft.
  const savedLast = last !== null && !isSame(last, before) ? last : null;
  const isSavedSince = isNewest && savedLast !== null && lastAt > landed;
  const [changed] = changesAfter;
  return {
    before: isNewest && savedLast !== null && lastAt <= departed ? savedLast : before,
    after:
      (changed && { reading: changed.oldLast, of: "old meter's last reading" }) ??
      (nextStart === null ? null : { reading: nextStart, of: 'start of the next flight' }) ??
      (isSavedSince ? { reading: savedLast, of: 'last recorded reading' } : null),
    becomesLast: isNewest && !isSavedSince,
  };
}

/** Says what is odd about an end before the reading that follows it. */
export function beforeNextText(end: string, after: PastMeter['after']): string | undefined {
  if (!after) return undefined;
  const { reading, of } = after;
  const gap = toHundredths(reading) - toHundredths(end);
  if (gap < 0) return `Higher than the ${of} (${reading}).`;
  return gap > MAX_UNFLAGGED_GAP_HUNDREDTHS
    ? `${hoursBetween(end, reading)} h not logged until the ${of} (${reading}).`
    : undefined;
}

function isSame(a: string, b: string | null): boolean {
  return b !== null && toHundredths(a) === toHundredths(b);
}
