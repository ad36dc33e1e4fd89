import { endReadingErrors } from '#app/domain/flights/flight-readings.ts';
import { parseReading, toHundredths } from '#app/domain/reading.ts';
import { checkEnd } from '#app/domain/readings/check-end.ts';
import { checkStart } from '#app/domain/readings/check-start.ts';
import { METER_TYPES, type MeterReadings } from '#app/domain/readings/meters.ts';
import { demoFlights, type TrueFlight } from './demo-flights.ts';
import { SLIPS } from './slips.ts';

/** What becomes of a slip: only 'unnoticed' is a wrong reading that nobody was asked about. */
export type Outcome = 'unreadable' | 'refused' | 'asked' | 'within 0.3 h' | 'unnoticed';

export type Moment = 'start' | 'end';

const HARMLESS_HUNDREDTHS = 30;

/** Every slip that can be made in the readings of the demo school's flights, with what becomes of it. */
export function slipOutcomes(): { slip: string; at: Moment; outcome: Outcome; typed: MeterReadings }[] {
  const flights = demoFlights();
  return Object.entries(SLIPS).flatMap(([slip, make]) =>
    flights.flatMap((flight) => [
      ...make(flight.start, flight.earlier).map((typed) => ({
        slip,
        at: 'start' as const,
        typed,
        outcome: startOutcome(flight, typed),
      })),
      ...make(flight.end, flight.earlier).map((typed) => ({
        slip,
        at: 'end' as const,
        typed,
        outcome: endOutcome(flight, typed),
      })),
    ]),
  );
}

function startOutcome({ start, end, context }: TrueFlight, typed: MeterReadings): Outcome {
  const readable = parsed(typed);
  if (!readable) return 'unreadable';
  const asked = checkStart(readable, { last: start, photos: context.photos }).length > 0;
  if (asked) return 'asked';
  if (Object.keys(endReadingErrors(readable, end, {})).length > 0) return 'refused';
  if (checkEnd(end, { ...context, start: readable }).length > 0) return 'asked';
  return isHarmless(readable, start) ? 'within 0.3 h' : 'unnoticed';
}

function endOutcome({ start, end, context }: TrueFlight, typed: MeterReadings): Outcome {
  const readable = parsed(typed);
  if (!readable) return 'unreadable';
  if (Object.keys(endReadingErrors(start, readable, {})).length > 0) return 'refused';
  if (checkEnd(readable, context).length > 0) return 'asked';
  return isHarmless(readable, end) ? 'within 0.3 h' : 'unnoticed';
}

function parsed({ hobbs, tachometer }: MeterReadings): MeterReadings | undefined {
  const readings = { hobbs: parseReading(hobbs), tachometer: parseReading(tachometer) };
  if (readings.hobbs === undefined || readings.tachometer === undefined) return undefined;
  return { hobbs: readings.hobbs, tachometer: readings.tachometer };
}

function isHarmless(typed: MeterReadings, truth: MeterReadings): boolean {
  return METER_TYPES.every(
    (meter) => Math.abs(toHundredths(typed[meter]) - toHundredths(truth[meter])) <= HARMLESS_HUNDREDTHS,
  );
}
