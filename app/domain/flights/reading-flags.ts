import type { ReadingFlag } from '#db/tables.ts';
import { hundredths } from '../reading.ts';

// A tenth is what a drum caught mid-roll may differ by.
const GAP_UNNOTICED = 10;

interface LastReadings {
  last_hobbs: string | null;
  last_tach: string | null;
}

interface StartReadings {
  startHobbsTime: string;
  startTachTime: string;
}

/** How start readings differ from the aircraft's last ones: below, or more than 0.1 h above (C06). */
export function readingFlags(aircraft: LastReadings, start: StartReadings): ReadingFlag[] {
  return [
    ...flag('hobbs', aircraft.last_hobbs, start.startHobbsTime),
    ...flag('tachometer', aircraft.last_tach, start.startTachTime),
  ];
}

function flag(meter: ReadingFlag['meter'], last: string | null, start: string): ReadingFlag[] {
  if (last === null) return [];
  const gap = hundredths(start) - hundredths(last);
  if (gap < 0) return [{ meter, kind: 'below', last }];
  return gap > GAP_UNNOTICED ? [{ meter, kind: 'gap', last }] : [];
}
