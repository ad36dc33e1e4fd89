import { type DemoFlight, planDemoFlights } from '#db/seed/plan-flights.ts';
import { fromHundredths } from '#app/domain/reading.ts';
import { type EndReadingBaseline, usualRatio } from '#app/domain/readings/check-end.ts';
import { flownHundredths, type MeterReadings } from '#app/domain/readings/meters.ts';

export interface TrueFlight {
  start: MeterReadings;
  end: MeterReadings;
  /** The readings of the aircraft's flight before, or its own start. */
  earlier: MeterReadings;
  context: EndReadingBaseline;
}

/** The sixty flights of the demo school, each with what was known of its aircraft then. */
export function demoFlights(): TrueFlight[] {
  const flown = new Map<string, DemoFlight[]>();
  return planDemoFlights().map((flight) => {
    const before = flown.get(flight.tailNumber) ?? [];
    flown.set(flight.tailNumber, [...before, flight]);
    const start = { hobbs: flight.hobbs.start, tachometer: flight.tach.start };
    const previous = before.at(-1);
    return {
      start,
      end: { hobbs: flight.hobbs.end, tachometer: flight.tach.end },
      earlier: previous ? { hobbs: previous.hobbs.start, tachometer: previous.tach.start } : start,
      context: {
        start,
        hoursOut: (flight.end - flight.start) / 60,
        ratio: usualRatio(before.slice(-20).map(hoursOf)),
        photos: { hobbs: null, tachometer: null },
      },
    };
  });
}

function hoursOf({ hobbs, tach }: DemoFlight) {
  return {
    hobbs: fromHundredths(flownHundredths(hobbs.start, hobbs.end)),
    tach: fromHundredths(flownHundredths(tach.start, tach.end)),
  };
}
