import type { Actor } from '#app/domain/actor.ts';
import { hoursText, type LineMark, type LineMeter, readingLine } from '#app/domain/aircraft/reading-line.ts';
import { toSegmentChanges } from '#app/domain/aircraft/segment-changes.server.ts';
import type { FoundFlight } from '#app/domain/flights/details/find-flight-details.server.ts';
import { formatDateTime } from '#app/domain/format.server.ts';
import { tapeShapes } from './tape-shapes.ts';

export type FlightTape = ReturnType<typeof toFlightTapes>['tapes'][number];

const METERS: LineMeter[] = ['hobbs', 'tach'];
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
  const lines = METERS.map((meter) => {
    const steps = readingLine(meter, flights, changes);
    const marksBefore = (flightId: number | undefined) =>
      steps.find((step) => step.flightId === flightId)?.before ?? [];
    return {
      meter,
      own: steps.find((step) => step.flightId === id),
      before: marksBefore(id),
      after: marksBefore(next?.id),
    };
  });
  const inWords = (side: 'before' | 'after') =>
    lines.flatMap((line) => line[side].map(({ text }) => `${NAMES[line.meter]}: ${text}`));
  const toNeighbour = (flight: typeof previous, marks: string[]) =>
    flight && { id: flight.id, started: formatDateTime(flight.startedAt, timeZone), marks };
  return {
    neighbours: { previous: toNeighbour(previous, inWords('before')), next: toNeighbour(next, inWords('after')) },
    tapes: lines.flatMap(({ meter, own, before, after }) =>
      own?.end == null || own.hundredths === null
        ? []
        : [toTape(NAMES[meter], { start: own.start, end: own.end, hundredths: own.hundredths }, before, after)],
    ),
  };
}

interface FlownMeter {
  start: string;
  end: string;
  hundredths: number;
}

function toTape(name: string, { start, end, hundredths }: FlownMeter, before: LineMark[], after: LineMark[]) {
  const marks = [...before, ...after].map(({ text }) => text);
  return {
    name,
    start,
    end,
    title: [`${name} from ${start} to ${end}, ${hoursText(hundredths)} h`, ...marks].join('. '),
    shapes: tapeShapes(hundredths, differenceOf(before), differenceOf(after)),
  };
}

/** Returns the hundredths of an hour between two flights: positive if not logged, negative if logged twice. */
function differenceOf(marks: LineMark[]): number {
  return marks.find(({ kind }) => kind !== 'change')?.hundredths ?? 0;
}
