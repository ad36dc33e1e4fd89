import type { ReadingFlag } from '#db/tables.ts';
import { MAX_UNFLAGGED_FLIGHT_HOURS } from '#app/limits.ts';
import { hoursBetween } from '../reading.ts';
import { METER_WORDS, otherMeter } from './meters.ts';

/** Says what is odd, to a person who reads the meter. */
export function flagText({ meter, kind, reading, last }: ReadingFlag): string {
  const other = METER_WORDS[otherMeter(meter)];
  switch (kind) {
    case 'below':
      return `Lower than the last recorded reading (${last}).`;
    case 'gap':
      return `${hoursBetween(last, reading)} h not logged since the last flight.`;
    case 'photo':
      return `The photo shows ${last}, not ${reading}.`;
    case 'other meter':
      return `${reading} fits the ${other} meter, which stood at ${last}.`;
    case 'slip':
      return `Is a digit wrong? ${last} would fit the ${other} meter, ${reading} does not.`;
    case 'long':
      return `${hoursBetween(last, reading)} h since the start (${last}): more than ${MAX_UNFLAGGED_FLIGHT_HOURS} h.`;
    case 'time':
      return `${hoursBetween(last, reading)} h since the start (${last}): longer than the aircraft was out.`;
    case 'ratio':
      return `${reading} does not fit the ${other} meter: about ${last} would be usual.`;
  }
}
