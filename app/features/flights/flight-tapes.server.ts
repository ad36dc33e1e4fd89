import type { Actor } from '#app/domain/actor.ts';
import { type LineMark, type LineMeter, type LineStep, toReadingLineSteps } from '#app/domain/aircraft/reading-line.ts';
import { hoursText } from '#app/domain/reading.ts';
import { toSegmentChanges } from '#app/domain/aircraft/line-queries.server.ts';
import type { FoundFlight } from '#app/domain/flights/details/find-flight-details.server.ts';
import { formatDateTime } from '#app/domain/format.server.ts';
import { tapeShapes } from './tape-shapes.ts';

const NAMES = { hobbs: 'Hobbs', tach: 'Tach' };

/** Returns how the readings of the flights before and after meet this one's, in words and as a tape for each meter. */
export function toFlightTapes({ timeZone }: Actor, { log, neighbours, changes: found }: FoundFlight) {
  const { previous, next } = neighbours;
  const { id, startHobbsTime, endHobbsTime, startTachTime, endTachTime } = log;
  const readings = {
    hobbs: { start: startHobbsTime, end: endHobbsTime },
    tach: { start: startTachTime, end: endTachTime },
  };
  const flights = [previous, { id, startedAt: log.createdAt, readings }, next].filter((flight) => flight !== null);
  const changes = toSegmentChanges(found, flights);
  const lineOf = (meter: LineMeter): MeterLine => {
    const steps = toReadingLineSteps(meter, flights, changes);
    const marksBefore = (flightId: number | undefined) =>
      steps.find((step) => step.flightId === flightId)?.before ?? [];
    return {
      meter,
      own: steps.find((step) => step.flightId === id),
      before: marksBefore(id),
      after: marksBefore(next?.id),
    };
  };
  const lines = [lineOf('hobbs'), lineOf('tach')] as const;
  const inWords = (side: 'before' | 'after') =>
    lines.flatMap((line) => line[side].map(({ text }) => `${NAMES[line.meter]}: ${text}`));
  const toNeighbour = (flight: typeof previous, marks: string[]) =>
    flight && { id: flight.id, started: formatDateTime(flight.startedAt, timeZone), marks };
  return {
    neighbours: { previous: toNeighbour(previous, inWords('before')), next: toNeighbour(next, inWords('after')) },
    tapes: { hobbs: toTape(lines[0]), tach: toTape(lines[1]) },
  };
}

interface MeterLine {
  meter: LineMeter;
  own: LineStep | undefined;
  before: LineMark[];
  after: LineMark[];
}

function toTape({ meter, own, before, after }: MeterLine) {
  if (own?.end == null || own.hundredths === null) return null;
  const { start, end, hundredths } = own;
  const marks = [...before, ...after].map(({ text }) => text);
  return {
    title: [`${NAMES[meter]} from ${start} to ${end}, ${hoursText(hundredths)} h`, ...marks].join('. '),
    shapes: tapeShapes(hundredths, differenceOf(before), differenceOf(after)),
  };
}

/** Returns the hundredths of an hour between two flights: positive if not logged, negative if logged twice. */
function differenceOf(marks: LineMark[]): number {
  return marks.find(({ kind }) => kind !== 'change')?.hundredths ?? 0;
}
