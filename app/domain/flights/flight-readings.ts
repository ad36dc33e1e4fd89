import type { MeterType } from '#db/tables.ts';
import { toHundredths } from '../reading.ts';
import { flownHundredths, METER_TYPES, type MeterChangesOfFlight, type MeterReadings } from '../readings/meters.ts';
import { assertNoErrors } from '../app-error.ts';
import { texts } from '../texts.ts';

export interface FlightReadings {
  startHobbsTime: string;
  startTachTime: string;
  endHobbsTime: string;
  endTachTime: string;
}

/** Throws 'invalid' beside each end reading that is not above its start. */
export function assertEndAboveStart(readings: FlightReadings, changes: MeterChangesOfFlight = {}): void {
  assertNoErrors(endReadingErrors(startReadingsOf(readings), endReadingsOf(readings), changes));
}

export function startReadingsOf({
  startHobbsTime,
  startTachTime,
}: Pick<FlightReadings, 'startHobbsTime' | 'startTachTime'>) {
  return { hobbs: startHobbsTime, tachometer: startTachTime };
}

export function endReadingsOf({ endHobbsTime, endTachTime }: Pick<FlightReadings, 'endHobbsTime' | 'endTachTime'>) {
  return { hobbs: endHobbsTime, tachometer: endTachTime };
}

const MAX_FLIGHT_HUNDREDTHS = 99_999_999;

const FIELDS = {
  hobbs: { end: 'endHobbsTime', oldLast: 'meterChanges.hobbs.oldLast', notAbove: texts.endHobbsNotAboveStart },
  tachometer: { end: 'endTachTime', oldLast: 'meterChanges.tach.oldLast', notAbove: texts.endTachNotAboveStart },
} as const;

/** Texts by field, for the end readings that are there. */
export function endReadingErrors(
  start: MeterReadings,
  ends: Partial<MeterReadings>,
  changes: MeterChangesOfFlight,
): Record<string, string> {
  return Object.fromEntries(METER_TYPES.flatMap((meter) => errorOf(meter, start[meter], ends[meter], changes[meter])));
}

function errorOf(
  meter: MeterType,
  start: string,
  end: string | undefined,
  change: MeterChangesOfFlight[MeterType],
): [string, string][] {
  const fields = FIELDS[meter];
  if (change && toHundredths(change.oldLast) < toHundredths(start)) return [[fields.oldLast, texts.oldLastBelowStart]];
  if (end === undefined) return [];
  if (change && toHundredths(end) < toHundredths(change.newFirst)) return [[fields.end, texts.endBelowNewFirst]];
  const flown = flownHundredths(start, end, change);
  if (flown > MAX_FLIGHT_HUNDREDTHS) return [[fields.oldLast, texts.flightTooLong]];
  return flown > 0 ? [] : [[fields.end, fields.notAbove]];
}
