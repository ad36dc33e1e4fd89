import { READING_JUMP_HUNDREDTHS } from '#app/limits.ts';
import { hoursText } from '../reading.ts';
import { flownHundredths } from '../readings/meters.ts';

export type LineMeter = 'hobbs' | 'tach';

export interface LineFlight {
  id: number;
  /** The end is null while the flight is in progress. */
  readings: Record<LineMeter, { start: string; end: string | null }>;
}

/** A new segment of a meter's life: within a flight, or between it and the flight before. */
export interface SegmentChange {
  meter: LineMeter;
  flightId: number;
  place: 'before' | 'within';
  oldLast: string;
  newFirst: string;
  reason: 'replaced' | 'rolled over';
}

export type MarkKind = 'gap' | 'overlap' | 'jump' | 'change';

/** Something odd between two flights, or within one. */
export interface LineMark {
  kind: MarkKind;
  /** Text such as '0.7 h between #41 and #42 not logged'. */
  text: string;
  hundredths: number;
}

export interface LineStep {
  flightId: number;
  start: string;
  end: string | null;
  hundredths: number | null;
  before: LineMark[];
  within: LineMark[];
}

/** Follows one meter through the flights, from the oldest to the newest; the first is only there for comparison. */
export function toReadingLineSteps(meter: LineMeter, flights: LineFlight[], changes: SegmentChange[] = []): LineStep[] {
  return flights.map((flight, index) => {
    const { start, end } = flight.readings[meter];
    const ofFlight = changes.filter((change) => change.meter === meter && change.flightId === flight.id);
    const within = ofFlight.filter(({ place }) => place === 'within');
    const hundredths = end === null ? null : flownHundredths(start, end, ...within);
    return {
      flightId: flight.id,
      start,
      end,
      hundredths,
      before: marksBefore(
        meter,
        flights[index - 1],
        flight,
        ofFlight.filter(({ place }) => place === 'before'),
      ),
      within: [...within.map((change) => changeMark(change, `in #${flight.id}`)), ...jumpWithin(flight.id, hundredths)],
    };
  });
}

function marksBefore(
  meter: LineMeter,
  previous: LineFlight | undefined,
  flight: LineFlight,
  changes: SegmentChange[],
): LineMark[] {
  const end = previous?.readings[meter].end;
  if (!previous || end == null) return [];
  const between = `between #${previous.id} and #${flight.id}`;
  const difference = flownHundredths(end, flight.readings[meter].start, ...changes);
  return [...changes.map((change) => changeMark(change, between)), ...differenceMark(difference, between)];
}

function differenceMark(hundredths: number, between: string): LineMark[] {
  if (hundredths === 0) return [];
  const hours = `${hoursText(Math.abs(hundredths))} h`;
  if (Math.abs(hundredths) > READING_JUMP_HUNDREDTHS) {
    return [{ kind: 'jump', text: `Jumps ${hundredths < 0 ? 'back ' : ''}by ${hours} ${between}`, hundredths }];
  }
  return hundredths > 0
    ? [{ kind: 'gap', text: `${hours} ${between} not logged`, hundredths }]
    : [{ kind: 'overlap', text: `${hours} ${between} logged twice`, hundredths }];
}

function jumpWithin(id: number, hundredths: number | null): LineMark[] {
  if (hundredths === null || hundredths <= READING_JUMP_HUNDREDTHS) return [];
  return [{ kind: 'jump', text: `Jumps by ${hoursText(hundredths)} h in #${id}`, hundredths }];
}

function changeMark({ meter, reason, oldLast, newFirst }: SegmentChange, where: string): LineMark {
  const name = meter === 'hobbs' ? 'Hobbs' : 'Tach';
  return { kind: 'change', text: `${name} ${reason} ${where}: ${oldLast}, then ${newFirst}`, hundredths: 0 };
}
