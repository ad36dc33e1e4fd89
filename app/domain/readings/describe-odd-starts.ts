import { checkStart, type PhotoReadings } from './check-start.ts';
import { flagText } from './flag-text.ts';
import { differenceText, type LastReadingView } from './last-reading-view.ts';
import type { MeterReadings } from './meters.ts';

type LastReadings = Record<'hobbs' | 'tach', LastReadingView | null>;

/** Says what is odd about each start reading, in words; null for nothing. */
export function describeOddStarts(starts: MeterReadings, last: LastReadings, photos: PhotoReadings) {
  const values = { hobbs: last.hobbs?.value ?? null, tachometer: last.tach?.value ?? null };
  const flags = checkStart(starts, { last: values, photos });
  const noteOf = (meter: keyof MeterReadings, lastReading: LastReadingView | null) => {
    const flag = flags.find((each) => each.meter === meter);
    if (!flag) return null;
    const isDifference = flag.kind === 'below' || flag.kind === 'gap';
    return (isDifference ? differenceText(lastReading, flag.reading) : flagText(flag)) ?? null;
  };
  return { hobbs: noteOf('hobbs', last.hobbs), tach: noteOf('tachometer', last.tach) };
}
